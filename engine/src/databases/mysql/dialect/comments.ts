/** Comments of tables and columns in MySQL and MariaDB. */
import { quote, quoteText } from '../quoting.ts'
import type { MysqlDialect, MysqlSession } from './session.ts'

/** The catalogue stores characters of the first plane of Unicode only. */
function allowed(text: string): string {
  return text.replace(/[\u{10000}-\u{10ffff}]/gu, '\uFFFD')
}

/** A column's comment can only be set with its whole definition, which SHOW CREATE TABLE prints on a line for each column. */
async function columnDefinitions({ rows }: MysqlSession, table: string): Promise<ReadonlyMap<string, string>> {
  const [created] = await rows(`SHOW CREATE TABLE ${quote(table)}`)
  const lines = (created?.[1] ?? '').split('\n').map((line) => line.trim().replace(/,$/, ''))
  return new Map(
    lines.flatMap((line) => {
      const name = /^`((?:[^`]|``)*)` /.exec(line)?.[1]
      return name === undefined ? [] : [[name.replaceAll('``', '`'), line] as const]
    }),
  )
}

const commentClause = / COMMENT '(?:[^'\\]|''|\\.)*'/s
/** MariaDB prints it last, after the comment. */
const checkClause = / CHECK \(/

function withComment(column: string, definition: string, text: string): string {
  const bare = toJsonType(column, definition.replace(commentClause, ''))
  const clause = ` COMMENT ${quoteText(text)}`
  const at = checkClause.exec(bare)?.index ?? bare.length
  return `${bare.slice(0, at)}${clause}${bare.slice(at)}`
}

/** MariaDB prints its JSON as text with a check, which it takes for another type when it reads it. */
function toJsonType(column: string, definition: string): string {
  const [name, check] = [`${quote(column)} `, ` CHECK (json_valid(${quote(column)}))`]
  if (!definition.startsWith(name) || !definition.endsWith(check)) return definition
  const type = definition.slice(name.length, -check.length)
  return `${name}${type.replace(/^longtext(?: CHARACTER SET \w+)?(?: COLLATE \w+)?/, 'json')}`
}

export const commentSql = {
  commentLimits: { table: 2_000, column: 1_000, allowed },
  async readComments({ rows }, { name }) {
    const found = await rows(
      `SELECT '', table_comment FROM information_schema.tables WHERE table_schema = DATABASE() AND table_name = ?
       UNION ALL SELECT column_name, column_comment FROM information_schema.columns WHERE table_schema = DATABASE() AND table_name = ?`,
      [name, name],
    )
    return new Map(found.map(([column, text]) => [column ?? '', text ?? '']))
  },
  /** Only the catalogue changes: INPLACE fails instead of copying a large table. */
  async setComments(session, { name }, comments) {
    const columns = [...comments].filter(([column]) => column !== '')
    const definitions = columns.length === 0 ? new Map<string, string>() : await columnDefinitions(session, name)
    const actions = columns.flatMap(([column, text]) => {
      const definition = definitions.get(column)
      return definition === undefined ? [] : [`MODIFY COLUMN ${withComment(column, definition, text)}`]
    })
    const ofTable = comments.get('')
    if (ofTable !== undefined) actions.push(`COMMENT = ${quoteText(ofTable)}`)
    if (actions.length > 0) await session.run(`ALTER TABLE ${quote(name)} ${actions.join(', ')}, ALGORITHM = INPLACE`)
  },
} satisfies Partial<MysqlDialect>
