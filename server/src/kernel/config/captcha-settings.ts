/** Captcha settings. The default is the built-in proof of work. */
import { choice, isHttpAddress, optionalText, readSetting, type SettingInput } from './setting.ts'

const providers = ['altcha', 'turnstile', 'hcaptcha', 'recaptcha'] as const
type CaptchaProviderName = (typeof providers)[number]

export interface CaptchaSettings {
  readonly provider: CaptchaProviderName
  /** Identifies the provider's browser widget. Null with the built-in proof of work. */
  readonly siteKey: string | null
  readonly secret: string | null
  /** URL that verifies tokens. Null with the built-in proof of work. */
  readonly verifyUrl: string | null
}

export const captchaSettings = {
  provider: choice('TRIBUTARY_CAPTCHA', providers, {
    initial: 'altcha',
    meaning:
      '`altcha` is a built-in proof of work; no data leaves the server. The others load the script of their provider: the pages then allow its frames and do not enforce Trusted Types, which those scripts do not support.',
  }),
  siteKey: optionalText('TRIBUTARY_CAPTCHA_SITE_KEY', {
    meaning: 'The site key from the provider. Required unless the captcha is `altcha`.',
  }),
  secret: optionalText('TRIBUTARY_CAPTCHA_SECRET', {
    secret: 'whole',
    meaning: 'The secret from the provider. Required unless the captcha is `altcha`.',
  }),
  verifyUrl: optionalText('TRIBUTARY_CAPTCHA_VERIFY_URL', {
    defaultText: 'the provider’s own',
    meaning: 'The address that verifies tokens, if it is not the provider’s own.',
  }),
}

const verifyUrls: Readonly<Record<CaptchaProviderName, string | null>> = {
  altcha: null,
  turnstile: 'https://challenges.cloudflare.com/turnstile/v0/siteverify',
  hcaptcha: 'https://api.hcaptcha.com/siteverify',
  recaptcha: 'https://www.google.com/recaptcha/api/siteverify',
}

export function readCaptchaSettings(given: SettingInput): CaptchaSettings {
  const provider = readSetting(captchaSettings.provider, given)
  if (!providers.includes(provider) || provider === 'altcha')
    return { provider: 'altcha', siteKey: null, secret: null, verifyUrl: null }
  return {
    provider,
    siteKey: required(captchaSettings.siteKey, `the site key that ${provider} gave you`),
    secret: required(captchaSettings.secret, `the secret that ${provider} gave you`),
    verifyUrl: readVerifyUrl(provider, given),
  }

  function required(setting: (typeof captchaSettings)['secret'], what: string): string | null {
    const value = readSetting(setting, given)
    if (value === null) given.problems.push(`${setting.name} is missing: ${what}.`)
    return value
  }
}

function readVerifyUrl(provider: CaptchaProviderName, given: SettingInput): string | null {
  const url = readSetting(captchaSettings.verifyUrl, given) ?? verifyUrls[provider]
  if (url === null || !isHttpAddress(url))
    given.problems.push(`TRIBUTARY_CAPTCHA_VERIFY_URL must be a whole address, such as ${verifyUrls[provider]}.`)
  return url
}
