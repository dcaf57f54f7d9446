/** Which captcha is in use, from the environment: our own proof of work unless another provider is set up. */

const providers = ['altcha', 'turnstile', 'hcaptcha', 'recaptcha'] as const
type Provider = (typeof providers)[number]

export interface CaptchaSettings {
  readonly provider: Provider
  /** What the provider's widget in the browser is known by; null with our own. */
  readonly siteKey: string | null
  readonly secret: string | null
  /** Where tokens are verified; null with our own. */
  readonly verifyUrl: string | null
}

const verifyUrls: Readonly<Record<Provider, string | null>> = {
  altcha: null,
  turnstile: 'https://challenges.cloudflare.com/turnstile/v0/siteverify',
  hcaptcha: 'https://api.hcaptcha.com/siteverify',
  recaptcha: 'https://www.google.com/recaptcha/api/siteverify',
}

type Environment = Readonly<Record<string, string | undefined>>

/** Adds to `problems` what is missing or wrong. */
export function readCaptchaSettings(env: Environment, problems: string[]): CaptchaSettings {
  const wanted = env['TRIBUTARY_CAPTCHA'] ?? 'altcha'
  const provider = providers.find((name) => name === wanted)
  if (provider === undefined) problems.push(`TRIBUTARY_CAPTCHA must be one of ${providers.join(', ')}.`)
  if (provider === undefined || provider === 'altcha') return { provider: 'altcha', siteKey: null, secret: null, verifyUrl: null }
  return {
    provider,
    siteKey: given('TRIBUTARY_CAPTCHA_SITE_KEY', `the site key that ${provider} gave you`),
    secret: given('TRIBUTARY_CAPTCHA_SECRET', `the secret that ${provider} gave you`),
    verifyUrl: readVerifyUrl(env, provider, problems),
  }

  function given(name: string, what: string): string | null {
    const value = env[name]
    if (value === undefined) problems.push(`${name} is missing: ${what}.`)
    return value ?? null
  }
}

function readVerifyUrl(env: Environment, provider: Provider, problems: string[]): string | null {
  const url = env['TRIBUTARY_CAPTCHA_VERIFY_URL'] ?? verifyUrls[provider]
  const isWhole = url !== null && /^https?:$/u.test(URL.parse(url)?.protocol ?? '')
  if (!isWhole) problems.push(`TRIBUTARY_CAPTCHA_VERIFY_URL must be a whole address, such as ${verifyUrls[provider]}.`)
  return url
}
