/** What is switched on for people who are not signed in. */
import type { SignInOptions } from '@tributary/contract/sign-in'
import type { Parts } from '../../parts.ts'

export async function signInOptions({ config, providers, settings }: Parts): Promise<SignInOptions> {
  const { AllowSignUp, ExternalProviders, MaintenanceMode } = await settings.read()
  return {
    allowSignUp: AllowSignUp,
    providers: ExternalProviders ? providers.map(({ name, displayName }) => ({ name, displayName })) : [],
    captcha: { provider: config.captcha.provider, siteKey: config.captcha.siteKey },
    passwordMin: config.passwordMin,
    isMaintained: MaintenanceMode,
  }
}
