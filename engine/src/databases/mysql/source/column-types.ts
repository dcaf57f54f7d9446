/** What each of MySQL's and MariaDB's column types becomes, and how it must be selected to lose nothing. */
import type { LogicalType } from '../../../ports/model.ts'
import type { Wire } from './row-encoder.ts'

/** A row of information_schema.columns. */
export interface ColumnFacts {
  readonly name: string
  /** `int`, `decimal` … */
  readonly dataType: string
  /** `int(10) unsigned zerofill`, `tinyint(1)` … */
  readonly columnType: string
  readonly maxLength: number | null
  readonly precision: number | null
  readonly scale: number | null
  /** Digits of a second. */
  readonly digits: number
  readonly isNullable: boolean
  readonly isKey: boolean
  /** MariaDB stores JSON as text with a check. */
  readonly isCheckedJson: boolean
}

export interface MappedColumn {
  readonly type: LogicalType
  readonly nullable: boolean
  readonly wire: Wire
  /** The column as it is selected. */
  readonly select: (quoted: string) => string
}

type Mapping = Omit<MappedColumn, 'nullable'>

const asItIs = (quoted: string) => quoted
/** Takes the leading zeros of ZEROFILL away, which are display only. */
const asNumber = (quoted: string) => `${quoted} + 0`

export function mapColumn(facts: ColumnFacts): MappedColumn {
  const mapping = mapType(facts)
  // A date of zeros is read as null, so a date may be null even where the source says it may not.
  const mayBeZero = mapping.wire === 'stamp' || mapping.wire === 'utcStamp'
  return { ...mapping, nullable: facts.isNullable || (mayBeZero && !facts.isKey) }
}

function mapType(facts: ColumnFacts): Mapping {
  const mapper = mappers[facts.dataType]
  if (mapper !== undefined) return mapper(facts)
  // Types that only newer servers have (inet6 and the like) show themselves as text.
  return { type: { kind: 'text' }, wire: 'text', select: (quoted) => `CAST(${quoted} AS CHAR)` }
}

const mappers: { readonly [dataType: string]: (facts: ColumnFacts) => Mapping } = {
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
  // By itself FLOAT is shown with six digits; added to a double it shows all it holds.
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
  // A TIME is a duration of up to 838 hours, either way: no clock's time of day holds that.
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

function isUnsigned(facts: ColumnFacts): boolean {
  return facts.columnType.includes('unsigned')
}

function integer(facts: ColumnFacts, signed: 2 | 4 | 8, unsigned: 2 | 4 | 8): Mapping {
  return numeric({ kind: 'integer', bytes: isUnsigned(facts) ? unsigned : signed }, facts)
}

function numeric(type: LogicalType, facts: ColumnFacts): Mapping {
  return { type, wire: 'plain', select: facts.columnType.includes('zerofill') ? asNumber : asItIs }
}

function shortText(facts: ColumnFacts): Mapping {
  const type: LogicalType = facts.maxLength === null ? { kind: 'text' } : { kind: 'text', maxLength: facts.maxLength }
  return { type, wire: 'text', select: asItIs }
}

function longText(facts: ColumnFacts): Mapping {
  return { type: { kind: facts.isCheckedJson ? 'json' : 'text' }, wire: 'text', select: asItIs }
}

function bytes(): Mapping {
  return { type: { kind: 'bytes' }, wire: 'bytes', select: asItIs }
}

function shape(): Mapping {
  return { type: { kind: 'text' }, wire: 'text', select: (quoted) => `ST_AsText(${quoted})` }
}
