/** Why a backup is not created or not restored, in words for the operator's console. */
export class BackupRefused extends Error {
  override readonly name = 'BackupRefused'
}

export const damaged = (what: string): BackupRefused =>
  new BackupRefused(
    `The backup is damaged: ${what}. Nothing was written. Take another copy of it, or the backup before it.`,
  )
