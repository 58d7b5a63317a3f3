/* The transpose of a 64x64 bit matrix: ever smaller squares off the diagonal change places, six
 * times (Hacker's Delight 7-3). With AVX2 four words are swapped at once, in registers all the
 * way. With GFNI an instruction transposes eight squares of 8x8 bits, and what is left is moving
 * bytes. */
#include "gen/frame/words.h"

static void transpose_portable(cells_t *matrix)
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

#define AVX2 __attribute__((target("avx2")))
#define GFNI __attribute__((target("avx512f,avx512bw,avx512vbmi,gfni")))

AVX2 static inline void swap_bits(__m256i *a, __m256i *b, int width, uint64_t mask)
{
    const __m256i other = _mm256_xor_si256(_mm256_srli_epi64(*a, width), *b);
    const __m256i swap = _mm256_and_si256(other, _mm256_set1_epi64x((long long)mask));
    *a = _mm256_xor_si256(*a, _mm256_slli_epi64(swap, width));
    *b = _mm256_xor_si256(*b, swap);
}

/* The swaps of rows in different vectors: m[i] and m[i + step] for all i without that bit. */
AVX2 static inline void swap_rows(__m256i m[16], int step, uint64_t mask)
{
    for (int i = 0; i < 16; i++)
        if ((i & step) == 0)
            swap_bits(&m[i], &m[i + step], 4 * step, mask);
}

AVX2 static void transpose_avx2(cells_t *matrix)
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

/* Bytes j of eight rows in turn, for j = 0, 1, …; and the same with the rows in reverse order, as
 * the bit transpose takes them. */
#define EIGHT(first, step)                                                                         \
    (first), (first) + (step), (first) + 2 * (step), (first) + 3 * (step), (first) + 4 * (step),   \
        (first) + 5 * (step), (first) + 6 * (step), (first) + 7 * (step)
static const int8_t of_rows[WORD_CELLS] = {EIGHT(0, 8), EIGHT(1, 8), EIGHT(2, 8), EIGHT(3, 8),
                                           EIGHT(4, 8), EIGHT(5, 8), EIGHT(6, 8), EIGHT(7, 8)};
static const int8_t of_rows_back[WORD_CELLS] = {EIGHT(56, -8), EIGHT(57, -8), EIGHT(58, -8),
                                                EIGHT(59, -8), EIGHT(60, -8), EIGHT(61, -8),
                                                EIGHT(62, -8), EIGHT(63, -8)};

GFNI static void transpose_gfni(cells_t *matrix)
{
    const __m512i unit = _mm512_set1_epi64((long long)0x8040201008040201u);
    const __m512i back = _mm512_loadu_si512(of_rows_back);
    const __m512i forth = _mm512_loadu_si512(of_rows);
    __m512i square[8]; /* by eight rows: squares of 8x8 bits, from the lowest bits on */
    __m512i pair[8];
    for (int i = 0; i < 8; i++) {
        const __m512i bytes = _mm512_permutexvar_epi8(back, _mm512_loadu_si512(matrix + 8 * i));
        square[i] = _mm512_gf2p8affine_epi64_epi8(unit, bytes, 0);
    }
    for (int i = 0; i < 8; i += 2) {
        pair[i] = _mm512_unpacklo_epi64(square[i], square[i + 1]);
        pair[i + 1] = _mm512_unpackhi_epi64(square[i], square[i + 1]);
    }
    for (int i = 0; i < 2; i++) {
        const __m512i low = _mm512_shuffle_i64x2(pair[i], pair[i + 2], 0x44);
        const __m512i high = _mm512_shuffle_i64x2(pair[i], pair[i + 2], 0xee);
        const __m512i low2 = _mm512_shuffle_i64x2(pair[i + 4], pair[i + 6], 0x44);
        const __m512i high2 = _mm512_shuffle_i64x2(pair[i + 4], pair[i + 6], 0xee);
        square[i] = _mm512_shuffle_i64x2(low, low2, 0x88);
        square[i + 2] = _mm512_shuffle_i64x2(low, low2, 0xdd);
        square[i + 4] = _mm512_shuffle_i64x2(high, high2, 0x88);
        square[i + 6] = _mm512_shuffle_i64x2(high, high2, 0xdd);
    }
    for (int i = 0; i < 8; i++)
        _mm512_storeu_si512(matrix + 8 * i, _mm512_permutexvar_epi8(forth, square[i]));
}

static inline bool has_gfni(void)
{
    return __builtin_cpu_supports("gfni") && __builtin_cpu_supports("avx512vbmi") &&
           __builtin_cpu_supports("avx512bw");
}

words_transpose_form *words_transpose_forms(int i)
{
    words_transpose_form *const forms[] = {transpose_portable,
                                           __builtin_cpu_supports("avx2") ? transpose_avx2 : NULL,
                                           has_gfni() ? transpose_gfni : NULL};
    return i < 3 ? forms[i] : NULL;
}

void words_transpose(cells_t matrix[WORD_CELLS])
{
    if (has_gfni())
        transpose_gfni(matrix);
    else if (__builtin_cpu_supports("avx2"))
        transpose_avx2(matrix);
    else
        transpose_portable(matrix);
}

#else

words_transpose_form *words_transpose_forms(int i)
{
    return i == 0 ? transpose_portable : NULL;
}

void words_transpose(cells_t matrix[WORD_CELLS])
{
    transpose_portable(matrix);
}

#endif
