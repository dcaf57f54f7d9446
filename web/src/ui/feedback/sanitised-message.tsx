/**
 * Renders a server message that may contain plain inline markup. With `sanitise.ts`, the only place in the portal that
 * turns text into elements.
 */
import { useEffect, useRef } from 'react'

export function SanitisedMessage({ text }: { text: string }) {
  if (!/[<&]/.test(text)) return text
  return <Markup key={text} text={text} />
}

function Markup({ text }: { text: string }) {
  const container = useRef<HTMLSpanElement>(null)
  useEffect(() => {
    let isUnmounted = false
    async function fill() {
      const { sanitise } = await import('./sanitise.ts')
      const fragment = sanitise(text)
      if (!isUnmounted) container.current?.replaceChildren(fragment)
    }
    void fill()
    return () => void (isUnmounted = true)
  }, [text])
  return <span ref={container} />
}
