/** Describes a browser by its user agent in words that its owner recognises: 'Firefox on Windows'. */

/** The first match counts: Edge and Opera also name Chrome, and Chrome also names Safari. */
const browsers: readonly (readonly [RegExp, string])[] = [
  [/\bEdg(?:e|A|iOS)?\//u, 'Edge'],
  [/\bOPR\/|\bOpera\b/u, 'Opera'],
  [/\bSamsungBrowser\//u, 'Samsung Internet'],
  [/\bFirefox\/|\bFxiOS\//u, 'Firefox'],
  [/Chrome\/|\bCriOS\/|\bChromium\//u, 'Chrome'],
  [/\bSafari\//u, 'Safari'],
  [/\bcurl\//u, 'curl'],
]
const systems: readonly (readonly [RegExp, string])[] = [
  [/\bWindows\b/u, 'Windows'],
  [/\biPhone\b/u, 'iPhone'],
  [/\biPad\b/u, 'iPad'],
  [/\bMac OS X\b|\bMacintosh\b/u, 'macOS'],
  [/\bAndroid\b/u, 'Android'],
  [/\bCrOS\b/u, 'ChromeOS'],
  [/\bLinux\b/u, 'Linux'],
]

export function describeDevice(userAgent: string | undefined): string {
  const find = (names: typeof browsers) => names.find(([pattern]) => pattern.test(userAgent ?? ''))?.[1]
  const [browser, system] = [find(browsers), find(systems)]
  if (browser === undefined) return system === undefined ? 'Another program' : `A browser on ${system}`
  return system === undefined ? browser : `${browser} on ${system}`
}
