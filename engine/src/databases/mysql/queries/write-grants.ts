/** Finds in the grants of a login what would let it write. Pure. */

/** Rights that only read. */
const readingRights = new Set(['USAGE', 'SELECT', 'SHOW VIEW', 'SHOW DATABASES'])

/**
 * Every grant that is not known to read counts, roles and stored procedures included: those act with the rights of others.
 *
 * @param grants the lines of SHOW GRANTS
 */
export function findWriteGrants(grants: readonly string[]): string[] {
  return grants.flatMap((grant) => {
    const [, rights, object] = /^GRANT (.+?) ON (.+?) TO /isu.exec(grant) ?? []
    if (rights === undefined || object === undefined) return [`has ${withoutPassword(grant)}`]
    const writing = splitRights(rights).filter((right) => !readingRights.has(right))
    const findings = writing.map((right) => `has ${right} on ${object}`)
    return /WITH GRANT OPTION/iu.test(grant) ? [...findings, `may grant rights on ${object}`] : findings
  })
}

/** The columns of a right on columns do not count: `SELECT (a, b)`. */
function splitRights(rights: string): string[] {
  return rights
    .replaceAll(/\([^()]*\)/gu, '')
    .split(',')
    .map((right) => right.trim().toUpperCase())
}

function withoutPassword(grant: string): string {
  return grant.replace(/ IDENTIFIED .*/isu, '')
}
