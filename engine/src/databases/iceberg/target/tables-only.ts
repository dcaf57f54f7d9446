/** What a target that stores tables only cannot do. The server refuses it before; this is what is left if it does not. */
import { Fault } from '../../../ports/faults.ts'

export function refuse(what: string): Fault {
  return new Fault('settings', {
    code: 'iceberg.tables_only',
    notice: `An Iceberg target stores tables only, so it has no ${what}. Turn it off for this connector, or use a SQL database as the target.`,
  })
}
