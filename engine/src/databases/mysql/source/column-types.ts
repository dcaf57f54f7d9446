/** Maps column types of MySQL and MariaDB to logical types, and selects each so that nothing is lost. */
import type { LogicalType } from '../../../ports/model.ts'
import type { WireFormat } from './row-encoder.ts'

/** A row of information_schema.columns. */
export interface MysqlColumnFacts {
  readonly name: string
  /** `int`, `decimal` … */
  readonly dataType: string
  /** `int(10) unsigned zerofill`, `tinyint(1)` … */
  readonly columnType: string
  readonly maxLength: number | null
  readonly precision: number | null
  readonly scale: number | null
  /** Fractional seconds precision. */
  readonly digits: number
  readonly isNullable: boolean
  readonly isKey: boolean
  /** MariaDB stores JSON as text with a check. */
  readonly isCheckedJson: boolean
}

export interface MysqlMappedColumn {
  readonly type: LogicalType
  readonly nullable: boolean
  readonly wire: WireFormat
  /** Expression to select. */
  readonly select: (quoted: string) => string
}

type Mapping = Omit<MysqlMappedColumn, 'nullable'>

const asItIs = (quoted: string) => quoted
/** Removes the leading zeros of ZEROFILL, which are for display only. */
const asNumber = (quoted: string) => `${quoted} + 0`

export function mapColumn(facts: MysqlColumnFacts): MysqlMappedColumn {
  const mapping = mapType(facts)
  // A zero date is read as null, so a date is nullable even where the source declares it NOT NULL.
  const mayBeZero = mapping.wire === 'stamp' || mapping.wire === 'utcStamp'
  return { ...mapping, nullable: facts.isNullable || (mayBeZero && !facts.isKey) }
}

function mapType(facts: MysqlColumnFacts): Mapping {
  const mapper = mappers[facts.dataType]
  if (mapper !== undefined) return mapper(facts)
  // Types of newer servers (inet6 and the like) are read as text.
  return { type: { kind: 'text' }, wire: 'text', select: (quoted) => `CAST(${quoted} AS CHAR)` }
}

const mappers: { readonly [dataType: string]: (facts: MysqlColumnFacts) => Mapping } = {
  tinyint: (facts) =>
    /^tinyint\(1\)(?! unsigned)/u.test(facts.columnType)
      ? { type: { kind: 'boolean' }, wire: 'boolean', select: asItIs }
      : integer(facts, 2, 2),
  smallint: (facts) => integer(facts, 2, 4),
  mediumint: (facts) => integer(facts, 4, 4),
  int: (facts) => integer(facts, 4, 8),
  bigint: (facts) =>
    isUnsigned(facts) ? numeric({ kind: 'decimal', precision: 20, scale: 0 }, facts) : integer(facts, 8, 8),
  year: () => ({ type: { kind: 'integer', bytes: 2 }, wire: 'plain', select: asNumber }),
  decimal: (facts) => numeric({ kind: 'decimal', precision: facts.precision ?? 65, scale: facts.scale ?? 0 }, facts),
  double: (facts) => numeric({ kind: 'double' }, facts),
  // FLOAT is written with six digits; added to a double it is written with all digits.
  float: () => ({ type: { kind: 'double' }, wire: 'plain', select: (quoted) => `${quoted} + 0e0` }),
  bit: (facts) => (facts.precision === 1 ? { type: { kind: 'boolean' }, wire: 'bit', select: asItIs } : bytes()),
  char: shortText,
  varchar: shortText,
  tinytext: longText,
  text: longText,
  mediumtext: longText,
  longtext: longText,
  enum: longText,
  set: longText,
  json: () => ({ type: { kind: 'json' }, wire: 'text', select: asItIs }),
  uuid: () => ({ type: { kind: 'guid' }, wire: 'plain', select: asItIs }),
  binary: bytes,
  varbinary: bytes,
  tinyblob: bytes,
  blob: bytes,
  mediumblob: bytes,
  longblob: bytes,
  date: () => ({ type: { kind: 'date' }, wire: 'stamp', select: asItIs }),
  datetime: (facts) => ({ type: { kind: 'localTimestamp', digits: facts.digits }, wire: 'stamp', select: asItIs }),
  timestamp: (facts) => ({ type: { kind: 'instant', digits: facts.digits }, wire: 'utcStamp', select: asItIs }),
  // A TIME is a duration of up to 838 hours in either direction, which no time of day holds.
  time: () => ({ type: { kind: 'text', maxLength: 17 }, wire: 'text', select: asItIs }),
  geometry: shape,
  point: shape,
  linestring: shape,
  polygon: shape,
  multipoint: shape,
  multilinestring: shape,
  multipolygon: shape,
  geometrycollection: shape,
  geomcollection: shape,
}

function isUnsigned(facts: MysqlColumnFacts): boolean {
  return facts.columnType.includes('unsigned')
}

function integer(facts: MysqlColumnFacts, signed: 2 | 4 | 8, unsigned: 2 | 4 | 8): Mapping {
  return numeric({ kind: 'integer', bytes: isUnsigned(facts) ? unsigned : signed }, facts)
}

function numeric(type: LogicalType, facts: MysqlColumnFacts): Mapping {
  return { type, wire: 'plain', select: facts.columnType.includes('zerofill') ? asNumber : asItIs }
}

function shortText(facts: MysqlColumnFacts): Mapping {
  const type: LogicalType = facts.maxLength === null ? { kind: 'text' } : { kind: 'text', maxLength: facts.maxLength }
  return { type, wire: 'text', select: asItIs }
}

function longText(facts: MysqlColumnFacts): Mapping {
  return { type: { kind: facts.isCheckedJson ? 'json' : 'text' }, wire: 'text', select: asItIs }
}

function bytes(): Mapping {
  return { type: { kind: 'bytes' }, wire: 'bytes', select: asItIs }
}

function shape(): Mapping {
  return { type: { kind: 'text' }, wire: 'text', select: (quoted) => `ST_AsText(${quoted})` }
}
