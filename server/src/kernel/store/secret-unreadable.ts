/** Thrown where a stored secret cannot be decrypted. The HTTP server answers it with its own error code. */
import { Fault } from '@tributary/engine/ports/faults'

/** Where a sealed value is stored. `organisationId` null: the platform's own. */
export interface SecretLocation {
  readonly organisationId: string | null
  readonly table: string
  readonly column: string
  readonly row: string
}

/** The stored text was sealed for another place, or was changed. */
export class SecretUnreadable extends Fault {
  constructor({ table, column, row, organisationId }: SecretLocation, cause: unknown) {
    super('settings', {
      code: 'secret.unreadable',
      notice: 'A stored password or key cannot be read any more, so it was not used. Enter it again and save.',
      cause: new Error(`${table}.${column} of ${row}, organisation ${organisationId ?? 'none'}`, { cause }),
    })
  }
}
