/** Which files a browser is told to ask for while the page itself is still on its way, by `Link` (RFC 8288), for the route at hand. */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** @returns the header of a page, or null where the pages were built without the list. */
export type FirstFiles = (path: string, isSignedIn: boolean) => string | null

/** Written by `web/plugins/named-first.ts`: files by the pattern of a route; '' are those of every page, '*' those of all who are signed in. */
const list = 'first-files.json'
const forVisitors = /^\/(?:signin|signup|reset-password|set-password|setup|mailbox)(?:\/|$)/u

export function readFirstFiles(webDir: string): FirstFiles {
  const path = join(webDir, list)
  if (!existsSync(path)) return () => null
  const {
    '': always = [],
    '*': signedIn = [],
    ...routes
  } = JSON.parse(readFileSync(path, 'utf8')) as Record<string, string[]>
  const ownOf = Object.entries(routes).map(([route, files]) => ({ route, files, pattern: patternOf(route) }))
  return (asked, isSignedIn) => {
    const own = ownOf.find(({ route, pattern }) => pattern.test(asked) && forVisitors.test(route) !== isSignedIn)
    const files = [...always, ...(isSignedIn ? signedIn : []), ...(own?.files ?? [])]
    // Words can be read in another typeface until theirs is here, so it comes last where a browser has few connections.
    return [...files.filter((file) => !isFont(file)), ...files.filter(isFont)].map(link).join(', ')
  }
}

function isFont(file: string): boolean {
  return file.endsWith('.woff2')
}

function patternOf(route: string): RegExp {
  return new RegExp(`^${route.replaceAll(/:\w+/gu, '[^/]+')}/?$`, 'u')
}

/** As the page names it, else it would be asked for twice. */
function link(file: string): string {
  if (file.endsWith('.css')) return `<${file}>; rel=preload; as=style; crossorigin`
  if (isFont(file)) return `<${file}>; rel=preload; as=font; type="font/woff2"; crossorigin`
  return file.includes('/assets/') ? `<${file}>; rel=modulepreload; crossorigin` : `<${file}>; rel=preload; as=script`
}
