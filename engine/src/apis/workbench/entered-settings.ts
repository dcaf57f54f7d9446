/** Settings as a person enters them in the workbench, by name. Nothing of them is stored. */
import { Fault } from '../../ports/faults.ts'
import type { AccessTokenProvider } from '../../ports/oauth.ts'
import type { SourceDescription } from '../described/description/source-description.ts'
import { type DescribedSettings, parseSettings } from '../described/settings.ts'

export interface WorkbenchField {
  readonly name: string
  readonly label: string
  readonly kind: 'text' | 'secret' | 'list'
  readonly isRequired: boolean
  readonly help?: string
  readonly placeholder?: string
}

/**
 * What a call needs to know. People cannot sign in at a draft, so its access token is entered: the sign-in of a connector would be sent to the hosts
 * of a text that is still being edited.
 */
export function workbenchFields({ settings, signIn, title }: SourceDescription): readonly WorkbenchField[] {
  const fields = Object.entries(settings).map(
    ([name, { label, kind, required, help, placeholder }]): WorkbenchField => ({
      name,
      label,
      kind,
      isRequired: required,
      ...(help !== undefined && { help }),
      ...(placeholder !== undefined && { placeholder }),
    }),
  )
  if (signIn.kind !== 'oauthCode') return fields
  const help = `People cannot sign in here: the hosts of a draft can be edited, and they would receive the sign-in. Get an access token in ${title} itself, mostly in its developer portal, for a company with test data. It is used for this call and not stored.`
  return [
    ...fields,
    { name: accessToken, label: 'Access token', kind: 'secret', isRequired: true, help },
    { name: company, label: 'Company id', kind: 'text', isRequired: true, help: `The id of the company in ${title}.` },
  ]
}

const accessToken = 'accessToken'
const company = 'company'

export interface OpenedSettings {
  readonly settings: DescribedSettings
  readonly accessTokens?: AccessTokenProvider
  /** The access token, which is a secret as well. */
  readonly more: readonly string[]
}

/**
 * @param entered values by the name of the setting; `address` replaces the base address, within the hosts of the description
 * @throws Fault `settings` with the field
 */
export function openEntered(
  description: SourceDescription,
  entered: Readonly<Record<string, string | undefined>>,
): OpenedSettings {
  const { type, signIn } = description
  const properties = Object.entries(entered).map(([name, value]) => [
    `${type}.${name === company && signIn.kind === 'oauthCode' ? 'tenantId' : name}`,
    value,
  ])
  const settings = parseSettings(description, Object.fromEntries(properties) as Record<string, unknown>)
  if (signIn.kind !== 'oauthCode') return { settings, more: [] }
  const token = entered[accessToken] ?? ''
  if (token === '')
    throw new Fault('settings', { code: `${type}.missing`, field: accessToken, notice: 'Enter an access token.' })
  return { settings, accessTokens: { token: () => Promise.resolve(token) }, more: [token] }
}
