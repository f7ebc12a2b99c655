// A trap handler in SP3.
var s_save_pc = ttmp0

shader main
  asic(DEFAULT)
  type(CS)
  jump_back(s_save_pc)
end

function jump_back(pc)
  s_rfe_b64 pc
end
