/* What the C test needs of a C library and an operating system, on a bare x86-64 machine. Output goes to port
 * 0xe9, which Bochs writes to its own output. A page fault has no handler and ends the machine, so guard
 * pages guard. */
#include <cpuid.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
#include <stdint.h>

/* Registers that this "operating system" saves, as bits of XCR0: by default all up to AVX-512's. */
#ifndef BOOT_XCR0
#define BOOT_XCR0 0xe7
#endif
#ifndef BOOT_LIMIT
#define BOOT_LIMIT "64"
#endif
#ifndef BOOT_CHOICES
#define BOOT_CHOICES "1"
#endif

FILE *stdout, *stderr;
int main(int argc, char **argv);
void start(void);

static void port(uint16_t number, const char *s) {
  for (; *s; s++)
    __asm__ __volatile__("outb %b0, %w1" : : "a"(*s), "d"(number));
}

_Noreturn void exit(int code) {
  port(0xe9, code == 0 ? "exit 0\n" : "exit 1\n");
  port(0x8900, "Shutdown");
  for (;;)
    __asm__ __volatile__("hlt");
}

void *memcpy(void *restrict to, const void *restrict from, size_t n) {
  void *start = to;
  __asm__ __volatile__("rep movsb" : "+D"(to), "+S"(from), "+c"(n) : : "memory");
  return start;
}

void *memmove(void *to, const void *from, size_t n) {
  uint8_t *t = to;
  const uint8_t *f = from;
  if (t <= f) return memcpy(to, from, n);
  while (n-- > 0)
    t[n] = f[n];
  return to;
}

void *memset(void *to, int value, size_t n) {
  void *start = to;
  __asm__ __volatile__("rep stosb" : "+D"(to), "+c"(n) : "a"(value) : "memory");
  return start;
}

int memcmp(const void *a, const void *b, size_t n) {
  const uint8_t *p = a, *q = b;
  for (; n > 0; n--, p++, q++)
    if (*p != *q) return *p - *q;
  return 0;
}

size_t strlen(const char *s) {
  size_t n = 0;
  while (s[n])
    n++;
  return n;
}

int strncmp(const char *a, const char *b, size_t n) {
  for (; n > 0; n--, a++, b++)
    if (*a != *b || !*a) return (uint8_t)*a - (uint8_t)*b;
  return 0;
}

unsigned long strtoul(const char *restrict s, char **restrict end, int base) {
  unsigned long value = 0;
  (void)end;
  for (; *s >= '0' && *s <= '9'; s++)
    value = value * (unsigned long)base + (unsigned long)(*s - '0');
  return value;
}

/* Only "%2x". */
static int scan_hex(const char *s, const char *format, ...) {
  va_list arguments;
  unsigned value = 0;
  for (int i = 0; i < 2; i++)
    value = value << 4 | (unsigned)(s[i] <= '9' ? s[i] - '0' : s[i] - 'a' + 10);
  va_start(arguments, format);
  *va_arg(arguments, unsigned *) = value;
  va_end(arguments);
  return 1;
}
/* The name that the C library's header gives to sscanf depends on the standard. */
int __isoc99_sscanf(const char *, const char *, ...) __attribute__((alias("scan_hex")));
int __isoc23_sscanf(const char *, const char *, ...) __attribute__((alias("scan_hex")));

static char *digits(char *end, unsigned long long value, unsigned base) {
  do {
    *--end = "0123456789abcdef"[value % base];
    value /= base;
  } while (value > 0);
  return end;
}

/* %s %c %d %u %x with a width, '-', and the lengths l, ll, z. */
int vsnprintf(char *restrict out, size_t room, const char *restrict f, va_list arguments) {
  size_t n = 0;
#define PUT(c)                                                                                               \
  do {                                                                                                       \
    if (n + 1 < room) out[n++] = (c);                                                                        \
  } while (0)
  for (; *f; f++) {
    char text[24];
    const char *s;
    size_t width = 0, length, wide = 0;
    if (*f != '%') {
      PUT(*f);
      continue;
    }
    if (*++f == '-') f++;
    for (; *f >= '0' && *f <= '9'; f++)
      width = width * 10 + (size_t)(*f - '0');
    for (; *f == 'l' || *f == 'z'; f++)
      wide = 1;
    text[23] = 0;
    if (*f == 's') {
      s = va_arg(arguments, const char *);
    } else if (*f == 'c') {
      text[22] = (char)va_arg(arguments, int);
      s = text + 22;
    } else {
      s = digits(text + 23, wide ? va_arg(arguments, unsigned long long) : va_arg(arguments, unsigned),
                 *f == 'x' ? 16 : 10);
    }
    for (length = 0; s[length]; length++)
      PUT(s[length]);
    for (; length < width; length++)
      PUT(' ');
  }
#undef PUT
  out[n] = 0;
  return (int)n;
}

int snprintf(char *restrict out, size_t room, const char *restrict f, ...) {
  va_list arguments;
  va_start(arguments, f);
  const int n = vsnprintf(out, room, f, arguments);
  va_end(arguments);
  return n;
}

static int print(const char *f, va_list arguments) {
  char line[512];
  const int n = vsnprintf(line, sizeof line, f, arguments);
  port(0xe9, line);
  return n;
}

int printf(const char *restrict f, ...) {
  va_list arguments;
  va_start(arguments, f);
  const int n = print(f, arguments);
  va_end(arguments);
  return n;
}

int fprintf(FILE *restrict file, const char *restrict f, ...) {
  va_list arguments;
  (void)file;
  va_start(arguments, f);
  const int n = print(f, arguments);
  va_end(arguments);
  return n;
}

int fputc(int c, FILE *file) {
  const char s[2] = {(char)c, 0};
  (void)file;
  port(0xe9, s);
  return c;
}

#undef putc
int putc(int c, FILE *file) {
  return fputc(c, file);
}

#undef putchar
int putchar(int c) {
  return fputc(c, stdout);
}

int fflush(FILE *file) {
  (void)file;
  return 0;
}

long sysconf(int name) {
  (void)name;
  return 4096;
}

/* boot.S maps the 2 MiB from here by the table at 0x4000, which starts empty: pages without access. */
#define AREA ((uintptr_t)0x4000000)
static volatile uint64_t *const page_table = (volatile uint64_t *)0x4000;

void *mmap(void *address, size_t length, int access, int how, int file, off_t offset) {
  static uintptr_t next = AREA;
  const uintptr_t start = next;
  (void)address, (void)access, (void)how, (void)file, (void)offset;
  next += length;
  return next <= AREA + 0x200000 ? (void *)start : MAP_FAILED;
}

int mprotect(void *address, size_t length, int access) {
  for (uintptr_t p = (uintptr_t)address; p < (uintptr_t)address + length; p += 4096) {
    page_table[(p - AREA) / 4096] = access == PROT_NONE ? 0 : p | 3;
    __asm__ __volatile__("invlpg (%0)" : : "r"(p) : "memory");
  }
  return 0;
}

/* Turns on what the CPU has of BOOT_XCR0 (Intel SDM volume 1, 13.3). */
static void enable_registers(void) {
  uint32_t a, b, c, d;
  uint64_t cr4;
  __cpuid(1, a, b, c, d);
  if (!(c & bit_XSAVE)) return;
  __asm__ __volatile__("mov %%cr4, %0" : "=r"(cr4));
  __asm__ __volatile__("mov %0, %%cr4" : : "r"(cr4 | 1 << 18));
  __cpuid_count(0xd, 0, a, b, c, d);
  __asm__ __volatile__("xsetbv" : : "a"(a & BOOT_XCR0), "d"(0), "c"(0));
}

void start(void) {
  static char limit[] = BOOT_LIMIT, choices[] = BOOT_CHOICES;
  char *argv[] = {NULL, limit, choices, NULL};
  enable_registers();
  exit(main(3, argv));
}
