; The metadata of kernels is YAML.

((metadata_text) @injection.content
  (#set! injection.language "yaml"))

((comment) @injection.content
  (#set! injection.language "comment"))
