import { expect, test } from 'vitest'
import { describeDevice } from './device-name.ts'

const windows = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64)'
const chrome = 'AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0'

test.each([
  [`${windows.replace(')', '; rv:140.0)')} Gecko/20100101 Firefox/140.0`, 'Firefox on Windows'],
  [`${windows} ${chrome} Safari/537.36`, 'Chrome on Windows'],
  [`${windows} ${chrome} Safari/537.36 Edg/140.0.0.0`, 'Edge on Windows'],
  [`${windows} ${chrome} Safari/537.36 OPR/120.0.0.0`, 'Opera on Windows'],
  [
    'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.0 Safari/605.1.15',
    'Safari on macOS',
  ],
  [
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) CriOS/140.0 Mobile/15E148 Safari/604.1',
    'Chrome on iPhone',
  ],
  [`Mozilla/5.0 (Linux; Android 10; K) ${chrome} Mobile Safari/537.36`, 'Chrome on Android'],
  [`Mozilla/5.0 (X11; Linux x86_64) ${chrome} Safari/537.36`, 'Chrome on Linux'],
  ['Mozilla/5.0 (X11; Linux x86_64) Something/1', 'A browser on Linux'],
  ['curl/8.9.1', 'curl'],
  ['<b>made up</b>', 'Another program'],
  [undefined, 'Another program'],
])('%s is %s', (userAgent, name) => {
  expect(describeDevice(userAgent)).toBe(name)
})
