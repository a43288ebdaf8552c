/* Names by which programs call functions of stdio that dCache could replace: here they are the plain functions. */
#ifndef DCAP
#define DCAP(token) token
#endif
#ifndef DCAPL
#define DCAPL(token) token
#endif
