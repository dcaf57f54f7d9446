/** Turns plain inline markup into elements. Lazy-loaded with the first message that contains any. */
import purify, { type Config } from 'dompurify'

const allowed = {
  ALLOWED_TAGS: ['b', 'strong', 'i', 'em', 'br', 'ul', 'ol', 'li', 'code', 'a'],
  ALLOWED_ATTR: ['href'],
  // Only links within the portal: one slash. Two slashes, or a slash and a backslash, would start another host.
  ALLOWED_URI_REGEXP: /^\/(?![/\\])/,
  ALLOW_DATA_ATTR: false,
  ALLOW_ARIA_ATTR: false,
} satisfies Config

export function sanitise(text: string): DocumentFragment | string {
  // In an unsupported browser DOMPurify returns its input unchanged, so show the message as text.
  if (!purify.isSupported) return text
  policy ??= trustedTypesFactory()?.createPolicy('tributary-html', {
    createHTML: (html) => html,
    createScriptURL: () => '',
  })
  return purify.sanitize(text, {
    ...allowed,
    RETURN_DOM_FRAGMENT: true,
    ...(policy === undefined ? {} : { TRUSTED_TYPES_POLICY: policy }),
  })
}

type TrustedTypesPolicy = NonNullable<Config['TRUSTED_TYPES_POLICY']>
type CreateTrusted = (text: string) => string
interface TrustedTypesFactory {
  createPolicy(name: string, rules: { createHTML: CreateTrusted; createScriptURL: CreateTrusted }): TrustedTypesPolicy
}

/** For DOMPurify's parser, which parses the text in an inert document. */
let policy: TrustedTypesPolicy | undefined

function trustedTypesFactory(): TrustedTypesFactory | undefined {
  return (window as { trustedTypes?: TrustedTypesFactory }).trustedTypes
}
