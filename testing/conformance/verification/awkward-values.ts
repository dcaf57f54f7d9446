/** A table with every type of a database and values that are easily compared wrongly. */
import type { EndKind } from '../../engine/databases/database-ends.ts'

interface AwkwardTable {
  readonly statements: readonly string[]
  /** Columns besides the key. */
  readonly columns: readonly string[]
  /** Columns without a common text form if the target is another product. */
  readonly streamedElsewhere: readonly string[]
}

const long = `repeat('wide ünïcödé 🙂 ', 20000)`

const postgres: AwkwardTable = {
  statements: [
    `CREATE TABLE awkward (id varchar(40) PRIMARY KEY, a_text text, a_char char(6), a_small smallint, a_big bigint, a_money money, a_number numeric(38,20),
      any_number numeric, a_double double precision, a_real real, a_flag boolean, a_day date, a_time time, a_stamp timestamp, a_stamp3 timestamp(3),
      a_moment timestamptz, a_moment0 timestamptz(0), a_guid uuid, a_json json, a_jsonb jsonb, some_bytes bytea, a_list int[], a_span interval, a_range int4range)`,
    `INSERT INTO awkward (id) VALUES ('nothing')`,
    `INSERT INTO awkward VALUES
      ('empty', '', '', 0, 0, 0, 0, 0, 0, 0, false, '2000-01-01', '00:00', '2000-01-01', '2000-01-01', '2000-01-01', '2000-01-01', '00000000-0000-0000-0000-000000000000', '{}', '{}', '', '{}', '0', 'empty'),
      ('Blank ', 'trailing  ', 'ab', -32768, -9223372036854775808, -12.34, -123456789012345678.12345678901234567890, 1.500, '-0', 0.1, true, '1000-01-01', '23:59:59.999999',
        '1999-12-31 23:59:59.999999', '1999-12-31 23:59:59.999', '1969-07-20 20:17:40.000001+00', '2024-03-31 03:30:00+02', 'A0EEBC99-9C0B-4EF8-BB6D-6BB9BD380A11',
        '{"b": 1, "a": [1.50, "x"]}', '{"b": 1, "a": [1.50, "x"]}', '\\x00ff5c', '{1,NULL,3}', '24 hours', '[1,5)'),
      ('é combining', E'e\\u0301 \\U0001F600 \\t\\n\\\\ '';', 'é', 1, 1, 1, 99999999999999999.99999999999999999999, 123456789012345678901234567890.123456789, 1e-300, 3e38, NULL, '9999-12-31', '12:00:00.5',
        '2024-01-01 00:00:00.1', '2024-01-01 00:00:00.1', '2024-01-01 00:00:00.1+00', '2024-01-01+00', NULL, '[]', '"text"', '\\x', '{{1,2},{3,4}}', '1 mon 2 days', '(,)'),
      ('𐀀 after \uffee', ${long}, 'x', NULL, NULL, NULL, 0.00000000000000000001, 0.1, 1e20, 1, true, '2024-02-29', NULL, NULL, NULL, NULL, NULL, NULL, 'null', 'null', decode(repeat('ab', 100000), 'hex'), NULL, NULL, NULL),
      ('\uffee', ' ', ' ', NULL, NULL, NULL, NULL, 10, 0.1, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL)`,
  ],
  columns: [
    'a_text',
    'a_char',
    'a_small',
    'a_big',
    'a_money',
    'a_number',
    'any_number',
    'a_double',
    'a_real',
    'a_flag',
    'a_day',
    'a_time',
    'a_stamp',
    'a_stamp3',
    'a_moment',
    'a_moment0',
    'a_guid',
    'a_json',
    'a_jsonb',
    'some_bytes',
    'a_list',
    'a_span',
    'a_range',
  ],
  streamedElsewhere: ['a_double', 'a_real', 'a_json', 'a_jsonb', 'a_list', 'a_span'],
}

const mysql: AwkwardTable = {
  statements: [
    `SET SESSION sql_mode = ''`,
    `CREATE TABLE awkward (id varchar(40) PRIMARY KEY, a_text longtext, a_latin varchar(20) CHARACTER SET latin1, a_choice enum('one', 'two'), a_tiny tinyint, a_flag tinyint(1), a_bit bit(1),
      a_big bigint, unsigned_big bigint unsigned, padded int(8) zerofill, a_number decimal(38,20), a_double double, a_float float, a_day date, a_stamp datetime(6), a_stamp0 datetime,
      a_moment timestamp(3) NULL, a_span time(3), a_year year, a_json json, some_bytes longblob, fixed_bytes binary(4), a_guid uuid)`,
    `INSERT INTO awkward (id) VALUES ('nothing')`,
    `INSERT INTO awkward VALUES
      ('empty', '', '', 'one', 0, 0, b'0', 0, 0, 0, 0, 0, 0, '2000-01-01', '2000-01-01', '2000-01-01', '2000-01-01', '0', 2000, '{}', '', '', '00000000-0000-0000-0000-000000000000'),
      ('Blank ', 'trailing  ', 'é ', 'two', -128, 1, b'1', -9223372036854775808, 18446744073709551615, 42, -123456789012345678.12345678901234567890, -0e0, 0.1, '1000-01-01',
        '1999-12-31 23:59:59.999999', '1999-12-31 23:59:59', '2024-03-31 01:30:00.123', '-838:59:59.001', 1901, '{"b": 1, "a": [1.5, "x"]}', X'00ff5c', X'01', 'a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11'),
      ('é combining', _utf8mb4 X'65CC8120F09F98802009 0A5C273B', NULL, NULL, 1, NULL, NULL, 1, 1, 1, 99999999999999999.99999999999999999999, 1e-300, 3e38, '0000-00-00',
        '0000-00-00', '2024-01-01', '2024-01-01 00:00:00.1', '12:00:00.5', NULL, '[]', '', NULL, NULL),
      ('𐀀 after \uffee', ${long}, 'x', NULL, NULL, 1, NULL, NULL, NULL, NULL, 0.00000000000000000001, 1e20, 1, '2024-02-29', NULL, NULL, NULL, NULL, NULL, '"text"', REPEAT(X'ab', 100000), NULL, NULL),
      ('\uffee', CONCAT('zero', CHAR(0), 'code'), ' ', NULL, NULL, 0, NULL, NULL, NULL, NULL, NULL, 0.1, NULL, '2024-00-10', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL)`.replace(
      '98802009 0A',
      '988020090A',
    ),
  ],
  columns: [
    'a_text',
    'a_latin',
    'a_choice',
    'a_tiny',
    'a_flag',
    'a_bit',
    'a_big',
    'unsigned_big',
    'padded',
    'a_number',
    'a_double',
    'a_float',
    'a_day',
    'a_stamp',
    'a_stamp0',
    'a_moment',
    'a_span',
    'a_year',
    'a_json',
    'some_bytes',
    'fixed_bytes',
    'a_guid',
  ],
  streamedElsewhere: ['a_double', 'a_float', 'a_json'],
}

export const awkwardTables: { readonly [kind in EndKind]: AwkwardTable } = { postgres, mysql }
