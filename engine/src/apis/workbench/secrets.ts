/** The values of a description’s settings that must never be shown. */
import type { DescriptionParts } from '../described/description/schema.ts'
import type { DescribedSettings } from '../described/settings.ts'

/** Secrets, and what the sign-in makes of them. */
export function secretsOf(
  { settings, signIn }: Pick<DescriptionParts, 'settings' | 'signIn'>,
  { values }: DescribedSettings,
): readonly string[] {
  const secrets = Object.entries(settings).flatMap(([name, { kind }]) =>
    kind === 'secret' && values[name] !== undefined ? [values[name]] : [],
  )
  if (signIn.kind !== 'basic') return secrets
  const password = signIn.password === undefined ? '' : (values[signIn.password] ?? '')
  const pair = Buffer.from(`${values[signIn.user] ?? ''}:${password}`, 'utf8').toString('base64')
  // Without a password, the user is the key.
  return [...secrets, pair, ...(signIn.password === undefined ? [values[signIn.user] ?? ''] : [])]
}
