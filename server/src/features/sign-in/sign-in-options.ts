/** What is switched on for people who are not signed in. */
import type { SignInOptions } from '@tributary/contract/sign-in'
import type { AppServices } from '../../app-services.ts'

export async function signInOptions({ config, providers, settings }: AppServices): Promise<SignInOptions> {
  const { AllowSignUp, ExternalProviders, MaintenanceMode } = await settings.read()
  return {
    allowSignUp: AllowSignUp,
    providers: ExternalProviders ? providers.map(({ name, displayName }) => ({ name, displayName })) : [],
    captcha: { provider: config.captcha.provider, siteKey: config.captcha.siteKey },
    passwordMin: config.passwordMin,
    isMaintained: MaintenanceMode,
  }
}
