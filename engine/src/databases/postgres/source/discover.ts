/** Discovers tables and views of a PostgreSQL database, their columns, and how each is read. */
import type pg from 'pg'
import { type ColumnSelection, leftOutOf } from '../../sql-source/column-selection.ts'
import { whyKeyless, whyView } from '../../sql-source/whole-reads.ts'
import { Fault } from '../../../ports/faults.ts'
import { SourceTableNames } from '../../sql-target/names.ts'
import { type Column, describedBy, type Reference } from '../../../ports/model.ts'
import { columnType, fingerprint, logicalType, quote } from '../types.ts'
import type { Stream } from '../../../ports/source.ts'
import type { PostgresSourceSettings } from './settings.ts'

/** A stream and how its rows are selected. */
export interface SourceRelation {
  readonly stream: Stream
  /** The table expression after FROM. */
  readonly from: string
  /** One expression a column, whose text is canonical. */
  readonly expressions: readonly string[]
  /** The types of the columns, as `format_type` spells them. */
  readonly types: readonly string[]
  /** Identifies the relation, its columns and its partitions: while it stays the same, a checkpoint is valid. */
  readonly identity: string
  /** Names of the tables that inherit from it, whose rows are not read with its own. */
  readonly heirs: readonly string[]
}

interface CatalogueRelation {
  readonly schema: string
  readonly name: string
  /** r table, p partitioned table, v view, m materialised view, f foreign table. */
  readonly kind: 'r' | 'p' | 'v' | 'm' | 'f'
  readonly rows: string
  readonly identity: string
  /** False for a materialised view that was never filled. */
  readonly isFilled: boolean
  readonly key: readonly string[] | null
  readonly heirs: readonly string[]
  /** Null for a relation without columns. */
  readonly columns: readonly CatalogueColumn[] | null
  readonly comment: string | null
  readonly references: readonly CatalogueReference[]
}

/** A foreign key. */
interface CatalogueReference {
  readonly columns: readonly string[]
  /** With its schema. */
  readonly table: string
  readonly to: readonly string[]
}

interface CatalogueColumn {
  readonly name: string
  /** The type, or the base type of a domain. */
  readonly type: string
  readonly isArray: boolean
  readonly isComposite: boolean
  readonly isDomain: boolean
  readonly notNull: boolean
  readonly comment: string | null
}

/** Partitions are read with their parent. A unique index over NOT NULL columns serves as the key where no primary key exists. */
const catalogue = `
WITH RECURSIVE base AS (
  SELECT oid AS type, oid AS under, -1 AS modifier FROM pg_type WHERE typtype <> 'd'
  UNION ALL
  SELECT d.oid, b.under, CASE WHEN b.modifier >= 0 THEN b.modifier ELSE d.typtypmod END FROM pg_type d JOIN base b ON b.type = d.typbasetype WHERE d.typtype = 'd'
)
SELECT n.nspname AS schema, c.relname AS name, c.relkind AS kind, c.relispopulated AS "isFilled", c.reltuples::bigint::text AS rows,
  concat_ws(':', (SELECT oid FROM pg_database WHERE datname = current_database()), c.oid,
    (SELECT md5(string_agg(relid::text, ',' ORDER BY relid)) FROM pg_partition_tree(c.oid) WHERE c.relkind = 'p'),
    (SELECT md5(string_agg(concat_ws(' ', attname, atttypid, atttypmod), ',' ORDER BY attnum)) FROM pg_attribute WHERE attrelid = c.oid AND attnum > 0 AND NOT attisdropped)) AS identity,
  (SELECT coalesce(json_agg(hn.nspname || '.' || h.relname ORDER BY hn.nspname, h.relname), '[]') FROM pg_inherits i JOIN pg_class h ON h.oid = i.inhrelid
     JOIN pg_namespace hn ON hn.oid = h.relnamespace WHERE i.inhparent = c.oid AND c.relkind = 'r') AS heirs,
  (SELECT json_agg(a.attname ORDER BY k.at)
   FROM (SELECT i.* FROM pg_index i WHERE i.indrelid = c.oid AND i.indisunique AND i.indisvalid AND i.indpred IS NULL AND i.indexprs IS NULL AND i.indimmediate
           AND NOT EXISTS (SELECT FROM unnest(i.indkey[0:i.indnkeyatts - 1]) AS of (attnum) JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum = of.attnum WHERE NOT a.attnotnull)
         ORDER BY i.indisprimary DESC, i.indnkeyatts, i.indexrelid LIMIT 1) AS i
   CROSS JOIN LATERAL unnest(i.indkey[0:i.indnkeyatts - 1]) WITH ORDINALITY AS k (attnum, at)
   JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum = k.attnum) AS key,
  (SELECT json_agg(json_build_object('name', a.attname, 'type', format_type(b.under, CASE WHEN t.typtype = 'd' THEN b.modifier ELSE a.atttypmod END),
     'isArray', u.typcategory = 'A', 'isComposite', u.typtype = 'c', 'isDomain', t.typtype = 'd', 'notNull', a.attnotnull, 'comment', left(col_description(c.oid, a.attnum), 5000)) ORDER BY a.attnum)
   FROM pg_attribute a JOIN pg_type t ON t.oid = a.atttypid JOIN base b ON b.type = a.atttypid JOIN pg_type u ON u.oid = b.under
   WHERE a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped) AS columns,
  left(obj_description(c.oid, 'pg_class'), 5000) AS comment,
  (SELECT coalesce(json_agg(json_build_object('table', tn.nspname || '.' || tc.relname,
     'columns', (SELECT json_agg(a.attname ORDER BY k.at) FROM unnest(f.conkey) WITH ORDINALITY AS k (attnum, at) JOIN pg_attribute a ON a.attrelid = f.conrelid AND a.attnum = k.attnum),
     'to', (SELECT json_agg(a.attname ORDER BY k.at) FROM unnest(f.confkey) WITH ORDINALITY AS k (attnum, at) JOIN pg_attribute a ON a.attrelid = f.confrelid AND a.attnum = k.attnum))
     ORDER BY f.conname), '[]')
   FROM pg_constraint f JOIN pg_class tc ON tc.oid = f.confrelid JOIN pg_namespace tn ON tn.oid = tc.relnamespace
   WHERE f.contype = 'f' AND f.conrelid = c.oid AND NOT tc.relispartition) AS references
FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
WHERE c.relkind IN ('r', 'p', 'v', 'm', 'f') AND NOT c.relispartition AND c.relpersistence <> 't'
  AND n.nspname NOT IN ('pg_catalog', 'information_schema') AND n.nspname !~ '^pg_(toast|temp)'
  AND has_schema_privilege(n.oid, 'USAGE') AND has_table_privilege(c.oid, 'SELECT')
  AND NOT EXISTS (SELECT FROM pg_depend d WHERE d.classid = 'pg_class'::regclass AND d.objid = c.oid AND d.deptype = 'e')
  AND ($1::text IS NULL OR n.nspname || '.' || c.relname = $1)
ORDER BY n.nspname <> 'public', n.nspname, c.relname`

export async function discover(
  client: pg.Client,
  settings: PostgresSourceSettings,
  selection: ColumnSelection,
): Promise<readonly SourceRelation[]> {
  const found = await client.query<CatalogueRelation>(catalogue, [null])
  selection.rememberUnknown(found.rows.map((each) => ({ names: namesOf(each), columns: each.columns ?? [] })))
  const chosen = found.rows.filter((each) => isChosen(each, settings) && each.columns !== null)
  const names = new SourceTableNames()
  const named = chosen.map((relation) => ({ relation, name: ownName(relation, names) }))
  const nameOf = new Map(named.map(({ relation, name }) => [`${relation.schema}.${relation.name}`, name]))
  return named.map(({ relation, name }) => describe(relation, { name, nameOf }, selection))
}

/** Discovers the relation again in the snapshot of a read, so that columns and rows match. */
export async function findRelation(
  client: pg.Client,
  stream: Stream,
  selection: ColumnSelection,
): Promise<SourceRelation> {
  const relation = await rediscover(client, stream, selection)
  const listNames = (each: Stream): string => each.table.columns.map((column) => column.name).join('\n')
  if (relation === undefined || listNames(relation.stream) !== listNames(stream))
    throw new Fault('passing', {
      code: 'postgres.changed',
      notice: `The table ‘${stream.name}’ of the source database has just changed. Trying again with what is there now.`,
    })
  return relation
}

/** The relation of one stream as it is now; undefined if it was dropped or may not be read any more. */
async function rediscover(
  client: pg.Client,
  stream: Stream,
  selection: ColumnSelection,
): Promise<SourceRelation | undefined> {
  const [found] = (await client.query<CatalogueRelation>(catalogue, [stream.name])).rows
  return found === undefined ? undefined : describe(found, { name: stream.table.name, nameOf: new Map() }, selection)
}

function isChosen(found: CatalogueRelation, { schemas, tables }: PostgresSourceSettings): boolean {
  if (schemas.length > 0 && !schemas.includes(found.schema)) return false
  return tables.length === 0 || namesOf(found).some((name) => tables.includes(name))
}

/** The names that users may enter. */
function namesOf({ schema, name }: CatalogueRelation): readonly string[] {
  return [`${schema}.${name}`, name]
}

/** `invoice` from the schema public, `sales_invoice` from the schema sales. */
function ownName({ schema, name }: CatalogueRelation, names: SourceTableNames): string {
  return names.give(schema === 'public' ? name : `${schema}_${name}`, `${schema}.${name}`)
}

interface RelationNames {
  readonly name: string
  /** Names of all chosen tables, by schema and name. */
  readonly nameOf: ReadonlyMap<string, string>
}

/** Foreign keys between chosen tables over columns that are read. */
function referencesOf(
  { references }: CatalogueRelation,
  columns: readonly Column[],
  nameOf: RelationNames['nameOf'],
): readonly Reference[] {
  return references.flatMap(({ columns: from, table, to }) => {
    const name = nameOf.get(table)
    return name !== undefined && from.every((each) => columns.some((column) => column.name === each))
      ? [{ columns: from, table: name, to }]
      : []
  })
}

function describe(
  found: CatalogueRelation,
  { name, nameOf }: RelationNames,
  selection: ColumnSelection,
): SourceRelation {
  const isTable = found.kind === 'r' || found.kind === 'p'
  const key = isTable ? (found.key ?? []) : []
  const columnsRead = selection.select({ names: namesOf(found), columns: found.columns ?? [], key })
  const fields = columnsRead.map(readColumn)
  const columns = fields.map(({ column }) => (key.includes(column.name) ? { ...column, nullable: false } : column))
  const isExact = fields.every(({ exact }) => exact)
  const rows = Number(found.rows)
  const stream: Stream = {
    name: `${found.schema}.${found.name}`,
    table: { name, columns, key, ...describedBy(found.comment), references: referencesOf(found, columns, nameOf) },
    children: [],
    ...(key.length > 0 ? { reads: 'since' } : { reads: 'whole', wholeReason: whyWhole[found.kind] }),
    hasDistinctKeys: true,
    offersPlain: true,
    excludedColumns: leftOutOf(found.columns ?? [], columnsRead),
    ...(isExact ? { binaryFingerprint: fingerprint(columnsRead.map((column) => column.type)) } : {}),
    ...(rows >= 0 && isTable ? { rowsEstimate: rows } : {}),
    ...(found.isFilled ? {} : { fault: notFilled(found) }),
  }
  // ONLY: tables that inherit from this one are streams of their own, but partitions are not.
  const only = found.kind === 'r' ? 'ONLY ' : ''
  return {
    stream,
    from: `${only}${quote(found.schema)}.${quote(found.name)}`,
    expressions: fields.map(({ expression }) => expression),
    types: columnsRead.map(({ type }) => type),
    identity: found.identity,
    heirs: found.heirs,
  }
}

function notFilled({ schema, name }: CatalogueRelation): Fault {
  return new Fault('settings', {
    code: 'postgres.object_unreadable',
    notice:
      'This materialised view was created WITH NO DATA and was never filled, so the source refuses to read it. Fill it there with the statement, or take it off the list of tables.',
    remedy: `REFRESH MATERIALIZED VIEW ${quote(schema)}.${quote(name)};`,
  })
}

const whyWhole: Readonly<Record<CatalogueRelation['kind'], string>> = {
  r: whyKeyless,
  p: whyKeyless,
  v: whyView,
  m: whyView,
  f: 'It is a foreign table: its rows lie in another database, which does not tell which of them have changed.',
}

interface SelectedColumn {
  readonly column: Column
  readonly expression: string
  /** Whether the column can be created with exactly this type in another database. */
  readonly exact: boolean
}

/** Arrays and composites become JSON, money a decimal. Everything else becomes text; an interval stays one between PostgreSQL databases. */
function readColumn(found: CatalogueColumn): SelectedColumn {
  const name = quote(found.name)
  const nullable = !found.notNull
  const comment = describedBy(found.comment)
  const as = (type: Column['type'], expression: string): SelectedColumn => ({
    column: { name: found.name, type, nullable, ...comment },
    expression,
    exact: false,
  })
  if (found.isArray || found.isComposite) return as({ kind: 'json' }, `to_jsonb(${name})`)
  if (found.type === 'money') return as({ kind: 'decimal', precision: 19, scale: 2 }, `${name}::numeric(19,2)`)
  if (found.type.startsWith('interval'))
    return {
      column: { name: found.name, type: { kind: 'text', native: found.type }, nullable, ...comment },
      expression: name,
      exact: !found.isDomain,
    }
  const type = logicalType(found.type)
  if (type === null) return as({ kind: 'text' }, `${name}::text`)
  return {
    column: { name: found.name, type, nullable, ...comment },
    expression: name,
    exact: !found.isDomain && columnType(type) === found.type,
  }
}
