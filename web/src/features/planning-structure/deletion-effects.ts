/** Describes what is deleted with a record. */
export function describeLostGrants(groupCount: number): string {
  if (groupCount === 0) return 'No security group grants it.'
  return groupCount === 1
    ? '1 security group grants it; that grant is deleted, too.'
    : `${groupCount} security groups grant it; those grants are deleted, too.`
}

export function describeLostLinks(count: number, noun: 'area' | 'subarea'): string {
  if (count === 0) return `No ${noun} is linked to it.`
  return count === 1 ? `1 linked ${noun} will be unlinked.` : `${count} linked ${noun}s will be unlinked.`
}
