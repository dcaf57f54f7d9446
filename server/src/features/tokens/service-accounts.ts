/** Service accounts: members of one organisation that cannot sign in and hold tokens that do not depend on a person. */
import type { ServiceAccount } from '@tributary/contract/tokens'
import { tokenLimits } from '@tributary/contract/token-scopes'
import type { Camel } from '@tributary/contract/wire'
import type { AppServices } from '../../app-services.ts'
import type { CallerContext } from '../../kernel/audit-context.ts'
import { ApiFault, nameTakenFault, requireFound } from '../../kernel/http/api-fault.ts'
import { findServiceAccount, insertServiceAccount, listServiceAccounts, lockOrganisation } from './queries.ts'

/** Throws `nameTaken` and `serviceAccountsMax`. */
export function addServiceAccount(
  { audit, store }: Pick<AppServices, 'audit' | 'store'>,
  auditContext: CallerContext,
  { name, role }: { readonly name: string; readonly role: 'admin' | 'user' },
): Promise<Camel<ServiceAccount>> {
  const { organisationId } = auditContext
  // Across: accounts belong to no organisation.
  return store.across(async (db) => {
    // Serialises additions, so that two concurrent ones neither share a name nor exceed the maximum.
    await lockOrganisation(db, organisationId)
    const present = await listServiceAccounts(db, organisationId)
    if (present.some((account) => account.name.toLowerCase() === name.toLowerCase())) throw nameTakenFault(name)
    const { serviceAccountsMax: max } = tokenLimits
    if (present.length >= max) throw new ApiFault('serviceAccountsMax', { values: { max } })
    const id = await insertServiceAccount(db, organisationId, { name, role })
    const object = { type: 'user', id }
    await audit.record(db, auditContext, { action: 'service_account.created', object, detail: { role } })
    return requireFound(await findServiceAccount(db, organisationId, id))
  })
}
