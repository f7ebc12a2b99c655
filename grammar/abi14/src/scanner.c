// The scanner does not depend on the ABI.
#include "../../src/scanner.c"
