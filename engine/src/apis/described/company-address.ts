/** Where the API of a described source is reached: at its base address, or at the address of the chosen company. */
import { Fault } from '../../ports/faults.ts'
import type { ConnectionContext } from '../../ports/source.ts'
import { baseAddress } from '../http/api-settings.ts'
import type { DescriptionParts } from './description/schema.ts'
import { listCompanies } from './oauth.ts'
import { type DescribedSettings, isPinned } from './settings.ts'

/** Null: at the base address. */
export type AddressFinder = (() => Promise<URL>) | null

/** Companies move, so the address is looked up each time a source is opened. Only the hosts of the description are called. */
export function companyAddressFinder(
  description: DescriptionParts,
  { base, values }: DescribedSettings,
  { accessTokens, network, signal }: ConnectionContext,
): AddressFinder {
  const { signIn, type, title } = description
  if (signIn.kind !== 'oauthCode' || signIn.companies.address === undefined || accessTokens === undefined) return null
  return async () => {
    const addresses = { authorise: signIn.authorise, token: signIn.token, api: base.href }
    const accessToken = await accessTokens.token()
    const found = await listCompanies(description, signIn, {
      accessToken,
      addresses,
      consentId: signIn.companyParameter === undefined ? null : (values['company'] ?? null),
      network,
      signal,
    })
    const company = found.find(({ tenant }) => tenant.id === values['company'])
    if (company === undefined || company.address === null)
      throw new Fault('signIn', {
        code: `${type}.company_gone`,
        notice: `The sign-in at ${title} no longer reaches the company of this connector. Connect it again under Manage.`,
      })
    const address = baseAddress({ [`${type}.address`]: company.address }, { code: type, address: base.href })
    if (isPinned(address, description)) return address
    throw new Fault('settings', {
      code: `${type}.host`,
      notice: `${title} names ${address.hostname} as the address of the company, which is not one of its hosts (${description.hosts.join(', ')}). Nothing is sent there.`,
    })
  }
}
