/** The fields of every source that a customer describes. The description says which of them the sign-in uses. */
import type { SettingDescription } from '../described/description/schema.ts'
import type { SourceDescription } from '../described/description/source-description.ts'
import type { ConnectorSettingsField } from '../../ports/settings.ts'

const fields = {
  user: { label: 'User', kind: 'text', help: 'For the sign-in basic.' },
  password: { label: 'Password', kind: 'secret', help: 'For the sign-in basic.' },
  key: { label: 'Key or token', kind: 'secret', help: 'For the sign-ins apiKey and bearer.' },
  client: { label: 'Client id', kind: 'text', help: 'For the sign-in oauthClient (client credentials).' },
  secret: { label: 'Client secret', kind: 'secret', help: 'For the sign-in oauthClient (client credentials).' },
} as const

type SignInField = keyof typeof fields

/** As settings of a description. */
export const signInSettings: Readonly<Record<SignInField, SettingDescription>> = Object.fromEntries(
  Object.entries(fields).map(([name, field]) => [name, { ...field, required: false }]),
) as Record<SignInField, SettingDescription>

/** As fields of the form of a connector type. @param helpOf in place of the names of a description, for a form that chooses the sign-in */
export function signInFields(
  type: string,
  helpOf?: Readonly<Record<SignInField, string>>,
): readonly ConnectorSettingsField[] {
  return (Object.keys(fields) as SignInField[]).map((name) => ({
    key: `${type}.${name}`,
    label: fields[name].label,
    kind: fields[name].kind,
    help: helpOf?.[name] ?? fields[name].help,
    required: false,
    ...(fields[name].kind === 'text' && { bindsSecret: true }),
  }))
}

/** The fields that the sign-in uses are required. */
export function withRequiredFields<Description extends SourceDescription>(description: Description): Description {
  const used = new Set(usedSettings(description.signIn))
  const settings = Object.fromEntries(
    Object.entries(description.settings).map(([name, setting]) => [name, { ...setting, required: used.has(name) }]),
  )
  return { ...description, settings }
}

function usedSettings(signIn: SourceDescription['signIn']): readonly string[] {
  switch (signIn.kind) {
    case 'basic':
      return [signIn.user, ...(signIn.password === undefined ? [] : [signIn.password])]
    case 'bearer':
      return [signIn.token]
    case 'apiKey':
      return signIn.keys.map(({ setting }) => setting)
    case 'oauthClient':
      return [signIn.client, signIn.secret]
    case 'oauthCode':
      return []
  }
}
