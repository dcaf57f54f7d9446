/** What a deletion takes from security groups, in words. */
export function grantsGone(groupCount: number): string {
  if (groupCount === 0) return 'No security group names it.'
  return groupCount === 1
    ? '1 security group names it; that grant goes, too.'
    : `${groupCount} security groups name it; those grants go, too.`
}
