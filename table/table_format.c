/* The header byte by byte, and the sizes and offsets shared by reading and writing
 * (docs/format.md). A header is accepted only if every field is consistent with the others and with
 * the file. */
#include "table/table_format.h"

#include "table/bytes.h"

#include <stdio.h>

bool format_may_omit_side(const struct rules *rules, const struct shape *shape)
{
    return shape->n_sides == 2 && shape->n_clocks == 1 &&
           !table_always_has_distances(rules, &shape->material);
}

bool format_may_omit_runs(const struct shape *shape)
{
    return shape->n_runs[WHITE] > 1 || shape->n_runs[BLACK] > 1;
}

int format_n_sides(const struct header *header, const struct shape *shape)
{
    return shape->n_sides - header->omitted.side[WHITE] - header->omitted.side[BLACK];
}

uint64_t format_blocks_per_side(const struct shape *shape, uint32_t block_placements)
{
    return (shape->n_placements + block_placements - 1) / block_placements;
}

size_t format_block_bound(const struct shape *shape, uint32_t n_placements)
{
    return 4 + (size_t)n_placements * (2 + (size_t)shape->n_rule_states);
}

/* At least ZSTD_compressBound, whose margin is 64 bytes or less. */
uint64_t format_frame_bound(uint64_t n_bytes)
{
    return n_bytes + (n_bytes >> 8) + 64;
}

uint64_t format_block_file_bound(const struct shape *shape, const struct header *header,
                                 uint32_t n_placements)
{
    return header->dictionary == DICTIONARY_MODEL
               ? (uint64_t)MAX_MODEL_BLOCK_BYTES
               : format_frame_bound(format_block_bound(shape, n_placements));
}

uint64_t format_group_first(const struct header *header, uint64_t block)
{
    return block - block % header->index_group;
}

uint64_t format_group_end(const struct header *header, uint64_t block)
{
    const uint64_t end = format_group_first(header, block) + header->index_group;
    return end < header->n_blocks ? end : header->n_blocks;
}

size_t format_size_width(const struct header *header)
{
    return header->dictionary == DICTIONARY_MODEL ? 2 : 4;
}

uint64_t format_index_content(const struct header *header)
{
    const uint64_t n_groups = (header->n_blocks + header->index_group - 1) / header->index_group;
    return n_groups * CHECKSUM_SIZE + header->n_blocks * format_size_width(header);
}

void header_layout(struct header *header)
{
    header->blocks_offset = HEADER_SIZE + header->model_size;
    header->index_offset = header->blocks_offset + header->blocks_size;
    header->file_size = header->index_offset + header->index_size;
}

void header_identity(const struct rules *rules, const struct shape *shape,
                     uint8_t bytes[HEADER_SIZE])
{
    const struct material *material = &shape->material;

    memset(bytes, 0, HEADER_SIZE);
    memcpy(bytes, table_magic, sizeof table_magic);
    const char *name = table_rules_name(rules, material);
    store_u16(bytes + AT_RULES, (uint16_t)material_table_rules(rules, material));
    store_u16(bytes + AT_GAME_TYPE, (uint16_t)rules->pdn_game_type);
    for (size_t i = 0; i < RULES_NAME_SIZE - 1 && name[i] != '\0'; i++)
        bytes[AT_RULES_NAME + i] = (uint8_t)name[i];
    store_u16(bytes + AT_SQUARES, (uint16_t)shape->n_squares);
    for (int side = WHITE; side <= BLACK; side++) {
        bytes[AT_MATERIAL + 2 * side] = material->men[side];
        bytes[AT_MATERIAL + 2 * side + 1] = material->kings[side];
    }
    bytes[AT_SIDES] = (uint8_t)shape->n_sides;
    store_u16(bytes + AT_RUN_STATES, (uint16_t)shape->n_rule_states);
    store_u64(bytes + AT_PLACEMENTS, shape->n_placements);
}

/* Checks that it is the requested table. */
static einspul_status check_identity(struct table_id id, const struct shape *shape,
                                     const uint8_t *bytes, const char *path, einspul_error *error)
{
    uint8_t wanted[HEADER_SIZE];

    header_identity(id.rules, shape, wanted);
    if (memcmp(bytes + AT_RULES, wanted + AT_RULES, AT_SQUARES + 2 - AT_RULES) != 0)
        return error_set(
            error, EINSPUL_WRONG_RULES, "%s: the table is for rule set %d ('%.24s'), expected '%s'",
            path_tail(path), load_u16(bytes + AT_RULES), (const char *)(bytes + AT_RULES_NAME),
            table_rules_name(id.rules, &id.material));
    if (memcmp(bytes + AT_MATERIAL, wanted + AT_MATERIAL, 4) != 0)
        return error_set(
            error, EINSPUL_WRONG_MATERIAL,
            "%s: the table is for %dK%dMv%dK%dM (kings and men of each side), expected %s",
            path_tail(path), bytes[AT_MATERIAL + 1], bytes[AT_MATERIAL], bytes[AT_MATERIAL + 3],
            bytes[AT_MATERIAL + 2], material_name(&id.material).text);
    if (bytes[AT_METRIC] != id.metric)
        return error_set(error, EINSPUL_NO_METRIC, "%s: not a .%s table", path_tail(path),
                         metric_suffix(id.metric));
    if (bytes[AT_SIDES] != wanted[AT_SIDES] ||
        memcmp(bytes + AT_RUN_STATES, wanted + AT_RUN_STATES, 2) != 0 ||
        memcmp(bytes + AT_PLACEMENTS, wanted + AT_PLACEMENTS, 8) != 0)
        return error_set(error, EINSPUL_CORRUPT, "%s: sides, rule states or placements are not %s",
                         path_tail(path), "those of its material");
    return EINSPUL_OK;
}

static bool may_omit(const struct header *header, const struct rules *rules,
                     const struct shape *shape)
{
    const bool side = header->omitted.side[WHITE] || header->omitted.side[BLACK];
    return (!side || format_may_omit_side(rules, shape)) &&
           (!header->omitted.runs ||
            (header->dictionary == DICTIONARY_MODEL && format_may_omit_runs(shape)));
}

static bool index_size_may_be(const struct header *header)
{
    const uint64_t content = format_index_content(header);
    return header->dictionary == DICTIONARY_MODEL
               ? header->index_size <= format_frame_bound(content)
               : header->index_size == content;
}

/* True if the sections follow each other to the end of the file. Each size is first compared with
 * that of the file, so that no sum can overflow. */
static bool sections_agree(const struct header *header, const uint8_t *bytes)
{
    struct header expected = *header;
    if (header->model_size > header->file_size || header->blocks_size > header->file_size ||
        header->index_size > header->file_size)
        return false;
    header_layout(&expected);
    return load_u64(bytes + AT_MODEL_OFFSET) == HEADER_SIZE &&
           header->blocks_offset == expected.blocks_offset &&
           header->index_offset == expected.index_offset && header->file_size == expected.file_size;
}

static bool blocks_agree(const struct header *header, const struct shape *shape)
{
    const bool modelled = header->dictionary == DICTIONARY_MODEL;
    const uint32_t n = header->block_placements;
    const uint32_t max = modelled ? MAX_MODEL_BLOCK_PLACEMENTS : MAX_BLOCK_PLACEMENTS;
    return n >= MIN_BLOCK_PLACEMENTS && n <= max && (n & (n - 1)) == 0 && header->index_group > 0 &&
           header->index_group <= (modelled ? MAX_INDEX_GROUP : 1u) &&
           header->n_blocks ==
               format_blocks_per_side(shape, n) * (uint64_t)format_n_sides(header, shape);
}

/* True if the reserved bytes are 0. */
static bool rest_is_zero(const uint8_t *bytes)
{
    for (int i = AT_INDEX_CHECKSUM + 8; i < AT_HEADER_CHECKSUM; i++)
        if (bytes[i] != 0)
            return false;
    return load_u32(bytes + AT_ZEROS) == 0 && bytes[AT_ZERO] == 0;
}

static bool dictionary_agrees(const struct header *header, bool distances)
{
    const uint64_t most = distances ? 0 : MAX_DICTIONARY_BYTES;
    return header->dictionary == DICTIONARY_MODEL ||
           (header->model_size <= most && header->dictionary == format_first_dictionary(distances));
}

/* True if the fields agree with each other. */
static bool fields_agree(const struct header *header, const struct rules *rules,
                         const struct shape *shape, const uint8_t *bytes)
{
    const bool distances =
        header->metric == EINSPUL_DTW || table_always_has_distances(rules, &shape->material);
    return rest_is_zero(bytes) && bytes[AT_SIDE_OMITTED] <= 2 && bytes[AT_RUNS_OMITTED] <= 1 &&
           bytes[AT_FLAGS] == (distances ? FLAG_DISTANCES : 0) &&
           dictionary_agrees(header, distances) && may_omit(header, rules, shape) &&
           blocks_agree(header, shape) && sections_agree(header, bytes) &&
           index_size_may_be(header) && header->n_stored[WHITE] <= shape->n_placements &&
           header->n_stored[BLACK] <= (shape->n_sides == 2 ? shape->n_placements : 0);
}

einspul_status header_unpack(struct header *header, struct table_id id, const struct shape *shape,
                             const uint8_t *bytes, const char *path, einspul_error *error)
{
    const einspul_status status = check_identity(id, shape, bytes, path, error);
    if (status != EINSPUL_OK)
        return status;

    header->metric = id.metric;
    header->has_distances = (bytes[AT_FLAGS] & FLAG_DISTANCES) != 0;
    header->dictionary = (enum dictionary)bytes[AT_DICTIONARY];
    for (int side = WHITE; side <= BLACK; side++)
        header->omitted.side[side] = bytes[AT_SIDE_OMITTED] == 1 + side;
    header->omitted.runs = bytes[AT_RUNS_OMITTED] == 1;
    header->block_placements = load_u32(bytes + AT_BLOCK_PLACEMENTS);
    header->n_blocks = load_u64(bytes + AT_BLOCKS);
    header->index_group = bytes[AT_INDEX_GROUP];
    header->model_size = load_u64(bytes + AT_MODEL_SIZE);
    header->index_offset = load_u64(bytes + AT_INDEX_OFFSET);
    header->index_size = load_u64(bytes + AT_INDEX_SIZE);
    header->blocks_offset = load_u64(bytes + AT_BLOCKS_OFFSET);
    header->blocks_size = load_u64(bytes + AT_BLOCKS_SIZE);
    header->file_size = load_u64(bytes + AT_FILE_SIZE);
    header->value_hash = load_u64(bytes + AT_VALUE_HASH);
    header->n_stored[WHITE] = load_u64(bytes + AT_STORED);
    header->n_stored[BLACK] = load_u64(bytes + AT_STORED + 8);
    header->model_checksum = load_u64(bytes + AT_MODEL_CHECKSUM);
    header->index_checksum = load_u64(bytes + AT_INDEX_CHECKSUM);
    if (!fields_agree(header, id.rules, shape, bytes))
        return error_set(error, EINSPUL_CORRUPT, "%s: inconsistent header", path_tail(path));
    return EINSPUL_OK;
}
