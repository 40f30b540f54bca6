# SPDX-License-Identifier: GPL-3.0-or-later
# AX_XT_PTHREAD: -pthread for compiler and linker; every Linux toolchain has it.
AC_DEFUN([AX_XT_PTHREAD],
[AC_CACHE_CHECK([whether $CC takes -pthread], [xt_cv_pthread],
  [save_CFLAGS=$CFLAGS
   CFLAGS="$CFLAGS -pthread"
   AC_LINK_IFELSE([AC_LANG_PROGRAM([[#include <pthread.h>]], [[return pthread_self() == 0;]])],
     [xt_cv_pthread=yes], [xt_cv_pthread=no])
   CFLAGS=$save_CFLAGS])
AS_IF([test "x$xt_cv_pthread" = xyes], [], [AC_MSG_ERROR([the compiler does not take -pthread])])])
