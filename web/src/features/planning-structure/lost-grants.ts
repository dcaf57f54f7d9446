/** Describes the grants that security groups lose by a deletion. */
export function describeLostGrants(groupCount: number): string {
  if (groupCount === 0) return 'No security group grants it.'
  return groupCount === 1
    ? '1 security group grants it; that grant is deleted, too.'
    : `${groupCount} security groups grant it; those grants are deleted, too.`
}
