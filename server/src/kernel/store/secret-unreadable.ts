/** Thrown if a stored secret cannot be decrypted. The HTTP server replies with a separate error code. */
import { Fault } from '@tributary/engine/ports/faults'

/** Where an encrypted value is stored. `organisationId` null: a secret of the platform. */
export interface SecretLocation {
  readonly organisationId: string | null
  readonly table: string
  readonly column: string
  readonly row: string
}

/** The ciphertext was moved from another row or column, or was changed. */
export class SecretUnreadable extends Fault {
  constructor({ table, column, row, organisationId }: SecretLocation, cause: unknown) {
    super('settings', {
      code: 'secret.unreadable',
      notice: 'A stored password or key cannot be read any more, so it was not used. Enter it again and save.',
      cause: new Error(`${table}.${column} of ${row}, organisation ${organisationId ?? 'none'}`, { cause }),
    })
  }
}
