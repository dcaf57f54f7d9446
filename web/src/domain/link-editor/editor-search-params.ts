/** State of the editor in the URL, and addresses that open it. */

/** The subject that is open in the editor. */
export const editParameter = 'edit'

/** Present if only subjects without links are listed. */
export const unlinkedParameter = 'unlinked'

/** The subject in the URL while none is selected. */
export const newSubject = 'new'

/** Opens the editor of a page with the subjects that have no links yet. */
export function unlinkedSubjectsPath(page: string): string {
  return `${page}?${new URLSearchParams({ [editParameter]: newSubject, [unlinkedParameter]: 'true' })}`
}

/** Opens the links of one subject in the editor of a page. */
export function subjectPath(page: string, subjectId: string): string {
  return `${page}?${new URLSearchParams({ [editParameter]: subjectId })}`
}
