.hsa_code_object_version 2,0
