/** The settings that the sign-in page needs. */
import type { SignInOptions } from '@tributary/contract/sign-in'
import type { AppServices } from '../../app-services.ts'

type SignInOptionsServices = Pick<AppServices, 'config' | 'providers' | 'settings'>

export async function signInOptions({ config, providers, settings }: SignInOptionsServices): Promise<SignInOptions> {
  const { AllowSignUp, ExternalProviders, MaintenanceMode } = await settings.read()
  return {
    allowSignUp: AllowSignUp,
    providers: ExternalProviders ? providers.map(({ name, displayName }) => ({ name, displayName })) : [],
    captcha: { provider: config.captcha.provider, siteKey: config.captcha.siteKey },
    passwordMin: config.passwordMin,
    isMaintained: MaintenanceMode,
  }
}
