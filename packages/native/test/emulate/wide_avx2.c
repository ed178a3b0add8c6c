#include "wide.h"
#include "../../src/x86_64/gcm_vaes_avx2.c"
