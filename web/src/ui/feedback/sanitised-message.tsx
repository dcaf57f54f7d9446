/**
 * Renders a server message that may contain plain inline markup. The only place in the portal that turns text into
 * elements.
 */
import type { Config } from 'dompurify'
import { useEffect, useRef } from 'react'

const allowed = {
  ALLOWED_TAGS: ['b', 'strong', 'i', 'em', 'br', 'ul', 'ol', 'li', 'code', 'a'],
  ALLOWED_ATTR: ['href'],
  // Only links within the portal: one slash. Two slashes, or a slash and a backslash, would start another host.
  ALLOWED_URI_REGEXP: /^\/(?![/\\])/,
  ALLOW_DATA_ATTR: false,
  ALLOW_ARIA_ATTR: false,
} satisfies Config

export function SanitisedMessage({ text }: { text: string }) {
  if (!/[<&]/.test(text)) return text
  return <Markup key={text} text={text} />
}

function Markup({ text }: { text: string }) {
  const container = useRef<HTMLSpanElement>(null)
  useEffect(() => {
    let isUnmounted = false
    async function fill() {
      const fragment = await sanitise(text)
      if (!isUnmounted) container.current?.replaceChildren(fragment)
    }
    void fill()
    return () => void (isUnmounted = true)
  }, [text])
  return <span ref={container} />
}

/** DOMPurify is loaded with the first message that contains markup. */
async function sanitise(text: string): Promise<DocumentFragment | string> {
  const { default: purify } = await import('dompurify')
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
