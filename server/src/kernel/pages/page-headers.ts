/**
 * Security headers of the portal's page: nothing from other origins, except the captcha widget that the operator has
 * chosen.
 */
import type { Config } from '../config/config.ts'

/** Browsers report policy violations here: by the Reporting API over https, otherwise by `report-uri`. */
export const reportPath = '/api/csp-reports'

/** @param path of the page, without its query. */
export function pageHeaders(config: Config, path: string, query = ''): Record<string, string> {
  return {
    'cache-control': 'no-store',
    'content-security-policy': pagePolicy(config, path),
    ...(isSecure(config) && { 'reporting-endpoints': `csp="${reportPath}"` }),
    ...(hasSecretAddress(path, query) && { 'referrer-policy': 'no-referrer' }),
  }
}

/**
 * True for addresses that contain a secret: links from emails, and the address of an external identity that has yet to
 * sign up.
 */
function hasSecretAddress(path: string, query: string): boolean {
  if (/^\/(?:reset-password|set-password|signup|admin\/approvals)(?:\/|$)/u.test(path)) return true
  return path === '/signin' && new URLSearchParams(query).has('code')
}

function isSecure({ publicUrl }: Config): boolean {
  return publicUrl.startsWith('https:')
}

function pagePolicy(config: Config, path: string): string {
  const { captcha } = config
  const widget = captcha.provider === 'altcha' ? null : widgets[captcha.provider]
  // `/signup` shows the sign-up by an external provider in a frame; opened directly, `/signup/frame` leads to
  // `/signup`.
  const isSignUp = path === '/signup' || path === '/signup/frame'
  const frames = [isSignUp ? "'self'" : null, widget?.frames].filter(
    (source) => source !== null && source !== undefined,
  )
  return [
    "default-src 'none'",
    sources("script-src 'self'", widget?.scripts),
    sources("style-src 'self'", widget?.styles),
    "img-src 'self' data:",
    "font-src 'self'",
    sources("connect-src 'self'", widget?.calls),
    `frame-src ${frames.length === 0 ? "'none'" : frames.join(' ')}`,
    "worker-src 'self'",
    "manifest-src 'self'",
    "form-action 'self'",
    "base-uri 'none'",
    "object-src 'none'",
    `frame-ancestors ${path === '/signup/frame' ? "'self'" : "'none'"}`,
    // The widgets' scripts write markup without trusted types.
    ...(widget === null ? ["require-trusted-types-for 'script'", 'trusted-types tributary-html'] : []),
    `report-uri ${reportPath}`,
    ...(isSecure(config) ? ['report-to csp'] : []),
  ].join('; ')
}

function sources(own: string, foreign: string | undefined): string {
  return foreign === undefined ? own : `${own} ${foreign}`
}

/** The origins that each directive must allow for a captcha widget. */
interface CaptchaWidgetSources {
  readonly scripts: string
  readonly frames: string
  readonly styles?: string
  readonly calls?: string
}

/** As the documentation of each provider requires. */
const widgets: Readonly<Record<Exclude<Config['captcha']['provider'], 'altcha'>, CaptchaWidgetSources>> = {
  turnstile: { scripts: 'https://challenges.cloudflare.com', frames: 'https://challenges.cloudflare.com' },
  hcaptcha: {
    scripts: 'https://hcaptcha.com https://*.hcaptcha.com',
    frames: 'https://hcaptcha.com https://*.hcaptcha.com',
    styles: 'https://hcaptcha.com https://*.hcaptcha.com',
    calls: 'https://hcaptcha.com https://*.hcaptcha.com',
  },
  recaptcha: {
    scripts: 'https://www.google.com/recaptcha/ https://www.gstatic.com/recaptcha/',
    frames: 'https://www.google.com/recaptcha/ https://recaptcha.google.com/recaptcha/',
    calls: 'https://www.google.com/recaptcha/',
  },
}
