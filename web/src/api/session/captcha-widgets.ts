/** The captchas of other providers. A script is loaded only if the operator has chosen its provider. */
import type { CaptchaOptions } from './captcha.ts'

interface Turnstile {
  render(
    container: HTMLElement,
    options: { sitekey: string; appearance: string; callback: (token: string) => void; 'error-callback': () => void },
  ): void
}
interface HCaptcha {
  render(container: HTMLElement, options: { sitekey: string; size: string }): string
  execute(id: string, options: { async: true }): Promise<{ response: string }>
}
interface ReCaptcha {
  ready(work: () => void): void
  execute(siteKey: string, options: { action: string }): Promise<string>
}
declare global {
  interface Window {
    turnstile?: Turnstile
    hcaptcha?: HCaptcha
    grecaptcha?: ReCaptcha
  }
}

export const externalWidgets: Readonly<
  Record<Exclude<CaptchaOptions['provider'], 'altcha'>, (siteKey: string) => Promise<string>>
> = {
  async turnstile(sitekey) {
    const widget = await loadWidget(
      'https://challenges.cloudflare.com/turnstile/v0/api.js?render=explicit',
      () => window.turnstile,
    )
    return new Promise((resolve, reject) => {
      const fail = () => reject(new Error('Turnstile gave no token.'))
      widget.render(appendContainer(), {
        sitekey,
        appearance: 'interaction-only',
        callback: resolve,
        'error-callback': fail,
      })
    })
  },
  async hcaptcha(sitekey) {
    const widget = await loadWidget('https://js.hcaptcha.com/1/api.js?render=explicit', () => window.hcaptcha)
    const { response } = await widget.execute(widget.render(appendContainer(), { sitekey, size: 'invisible' }), {
      async: true,
    })
    return response
  },
  async recaptcha(siteKey) {
    const address = `https://www.google.com/recaptcha/api.js?render=${encodeURIComponent(siteKey)}`
    const widget = await loadWidget(address, () => window.grecaptcha)
    await new Promise<void>((resolve) => widget.ready(resolve))
    return widget.execute(siteKey, { action: 'submit' })
  },
}

async function loadWidget<Widget>(address: string, find: () => Widget | undefined): Promise<Widget> {
  if (find() === undefined) {
    await new Promise((resolve, reject) => {
      const script = document.createElement('script')
      script.src = address
      script.addEventListener('load', resolve)
      script.addEventListener('error', reject)
      document.head.append(script)
    })
  }
  const widget = find()
  if (widget === undefined) throw new Error('The script of the captcha did not start.')
  return widget
}

/** A widget yields one token, which can be used once, so each call gets a new container at the end of the page. */
function appendContainer(): HTMLElement {
  const container = document.createElement('div')
  document.body.append(container)
  return container
}
