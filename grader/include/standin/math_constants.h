// Stand-in for CUDA's constants.
#define CUDART_INF_F __int_as_float(0x7f800000)
#define CUDART_NAN_F __int_as_float(0x7fffffff)
#define CUDART_PI_F  3.141592654f
#define CUDART_PI    3.1415926535897931e+0
