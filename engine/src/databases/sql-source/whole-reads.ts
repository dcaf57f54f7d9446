/** Reasons why a table is read whole, for users, and the columns with which it need not be. */

export const whyKeyless =
  'It has no primary key, and no other unique index over columns that are never empty, so a changed row cannot be told from a new one.'
export const whyView = 'It is a view, and a view does not tell which of its rows have changed.'

/** `updated_at`, `LastModifiedDate`, `date_modified`, `modified` and the like. */
const changeName =
  /^(?:(?:last_?)?(?:updated?|modified|changed|edited)(?:_?(?:at|on|date|time|utc|timestamp))*|(?:date|time)_?(?:updated|modified|changed))$/iu

/** Whether a column of this name probably holds when its row was last changed. */
export function isChangeColumn(name: string): boolean {
  return changeName.test(name)
}
