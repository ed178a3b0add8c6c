/* A disk's first sector: loads the rest of the disk at 0x10000 and enters it in 64-bit mode (Intel SDM volume 3,
 * 10.8.5), with memory mapped as it is in pages of 2 MiB; the one at 64 MiB in pages of 4 KiB for runtime.c. */
    .set CHUNK, 64                      /* sectors of one read */
    .set PML4, 0x1000
    .set DIRECTORY_POINTERS, 0x2000
    .set DIRECTORY, 0x3000
    .set TABLE, 0x4000

    .section .boot, "ax"
    .code16
    .globl _start
_start:
    ljmp $0, $segments
segments:
    xorw %ax, %ax
    movw %ax, %ds
    movw %ax, %es
    movw %ax, %ss
    movw $0x7c00, %sp
    movb %dl, drive
read:
    movw $packet, %si
    movb $0x42, %ah
    movb drive, %dl
    int $0x13
    jc stop
    addw $CHUNK * 512 / 16, segment
    addw $CHUNK, sector
    decw chunks
    jnz read

    cli
    inb $0x92, %al                      /* address line 20 */
    orb $2, %al
    outb %al, $0x92

    movw $PML4, %di
    xorl %eax, %eax
    movw $0x1000, %cx
    rep stosl
    movl $DIRECTORY_POINTERS + 3, PML4
    movl $DIRECTORY + 3, DIRECTORY_POINTERS
    movw $DIRECTORY, %di
    movl $0x83, %eax
    movw $512, %cx
map:
    movl %eax, (%di)
    addl $0x200000, %eax
    addw $8, %di
    loop map
    movl $TABLE + 3, DIRECTORY + 32 * 8

    lgdt table_register
    movl $0x620, %eax                   /* PAE, OSFXSR, OSXMMEXCPT */
    movl %eax, %cr4
    movl $PML4, %eax
    movl %eax, %cr3
    movl $0xc0000080, %ecx              /* EFER.LME */
    rdmsr
    orl $0x100, %eax
    wrmsr
    movl %cr0, %eax
    andl $0xfffffffb, %eax              /* not EM */
    orl $0x80000003, %eax               /* PG, MP, PE */
    movl %eax, %cr0
    ljmp $8, $long_mode

stop:
    hlt
    jmp stop

    .code64
long_mode:
    movl $0x10, %eax
    movw %ax, %ds
    movw %ax, %es
    movw %ax, %ss
    movl $stack_top, %esp
    movl $bss_start, %edi
    movl $bss_end, %ecx
    subl %edi, %ecx
    xorl %eax, %eax
    rep stosb
    call start

drive:
    .byte 0
chunks:
    .word chunk_count
    .balign 4
packet:
    .byte 16, 0
    .word CHUNK, 0
segment:
    .word 0x1000
sector:
    .quad 1

    .balign 8
table:
    .quad 0
    .quad 0x00209a0000000000            /* 64-bit code */
    .quad 0x0000920000000000            /* data */
table_register:
    .word table_register - table - 1
    .long table

    .org 510
    .word 0xaa55

    .section .note.GNU-stack, "", @progbits
