/* The transpose of a 64x64 bit matrix: swaps off-diagonal blocks of halving size, in six rounds
 * (Hacker's Delight 7-3). The AVX2 version processes four words at a time, entirely in
 * registers. */
#include "gen/frame/transpose.h"

#include "core/program/extensions.h"

void words_transpose_portable(cells_t matrix[WORD_CELLS])
{
    static const cells_t masks[6] = {0x00000000ffffffffu, 0x0000ffff0000ffffu, 0x00ff00ff00ff00ffu,
                                     0x0f0f0f0f0f0f0f0fu, 0x3333333333333333u, 0x5555555555555555u};
    for (int s = 0; s < 6; s++) {
        const int width = 32 >> s;
        const cells_t mask = masks[s];
        for (int base = 0; base < WORD_CELLS; base += 2 * width) {
            for (int i = base; i < base + width; i++) {
                const cells_t swap = ((matrix[i] >> width) ^ matrix[i + width]) & mask;
                matrix[i] ^= swap << width;
                matrix[i + width] ^= swap;
            }
        }
    }
}

#ifdef HAS_TARGETS
#include <immintrin.h>

static TARGET_AVX2 inline void swap_bits(__m256i *a, __m256i *b, int width, uint64_t mask)
{
    const __m256i other = _mm256_xor_si256(_mm256_srli_epi64(*a, width), *b);
    const __m256i swap = _mm256_and_si256(other, _mm256_set1_epi64x((long long)mask));
    *a = _mm256_xor_si256(*a, _mm256_slli_epi64(swap, width));
    *b = _mm256_xor_si256(*b, swap);
}

/* The swaps of rows in different vectors: m[i] and m[i + step] for all i without that bit. */
static TARGET_AVX2 inline void swap_rows(__m256i m[16], int step, uint64_t mask)
{
    for (int i = 0; i < 16; i++)
        if ((i & step) == 0)
            swap_bits(&m[i], &m[i + step], 4 * step, mask);
}

static TARGET_AVX2 void transpose_avx2(cells_t *matrix)
{
    __m256i *rows = (__m256i *)(void *)matrix;
    __m256i m[16];
    for (int i = 0; i < 16; i++)
        m[i] = _mm256_loadu_si256(rows + i);
    swap_rows(m, 8, 0x00000000ffffffffu);
    swap_rows(m, 4, 0x0000ffff0000ffffu);
    swap_rows(m, 2, 0x00ff00ff00ff00ffu);
    swap_rows(m, 1, 0x0f0f0f0f0f0f0f0fu);
    for (int i = 0; i < 16; i += 2) { /* the rest is within a vector: two of them are shuffled */
        __m256i a = _mm256_permute2x128_si256(m[i], m[i + 1], 0x20);
        __m256i b = _mm256_permute2x128_si256(m[i], m[i + 1], 0x31);
        swap_bits(&a, &b, 2, 0x3333333333333333u);
        __m256i c = _mm256_unpacklo_epi64(a, b);
        __m256i d = _mm256_unpackhi_epi64(a, b);
        swap_bits(&c, &d, 1, 0x5555555555555555u);
        a = _mm256_unpacklo_epi64(c, d);
        b = _mm256_unpackhi_epi64(c, d);
        _mm256_storeu_si256(rows + i, _mm256_permute2x128_si256(a, b, 0x20));
        _mm256_storeu_si256(rows + i + 1, _mm256_permute2x128_si256(a, b, 0x31));
    }
}

void words_transpose(cells_t matrix[WORD_CELLS])
{
    if (CPU_HAS_AVX2())
        transpose_avx2(matrix);
    else
        words_transpose_portable(matrix);
}

#else

void words_transpose(cells_t matrix[WORD_CELLS])
{
    words_transpose_portable(matrix);
}

#endif
