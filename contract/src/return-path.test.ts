import { expect, test } from 'vitest'
import { safeReturnPath } from './return-path.ts'

const origin = 'https://tributary.example'

test.each([
  ['/home', '/home'],
  ['/profile', '/profile'],
  ['/connectors/postgres/manage?new=true#target', '/connectors/postgres/manage?new=true#target'],
  ['/admin/approvals/1?status=APPROVED', '/admin/approvals/1?status=APPROVED'],
  ['/connectors/x?next=https://evil.example/', '/connectors/x?next=https://evil.example/'],
  ['/excel/versions?search=budget', '/excel/versions?search=budget'],
  ['/home/../profile', '/profile'],
  [
    '/oauth/authorize?client_id=x&redirect_uri=https%3A%2F%2Fa.example%2F',
    '/oauth/authorize?client_id=x&redirect_uri=https%3A%2F%2Fa.example%2F',
  ],
])('[SIGN-7] %j is a page of the portal', (returnUrl, path) => {
  expect(safeReturnPath(returnUrl, origin)).toBe(path)
})

test.each([
  'https://evil.example/home',
  'HTTPS://evil.example/home',
  'https:evil.example/home',
  'https:/evil.example/home',
  '//evil.example/home',
  '///evil.example/home',
  '////evil.example/home',
  '/\\evil.example/home',
  '\\\\evil.example/home',
  '/\\/evil.example/home',
  '\\/evil.example/home',
  '/\t/evil.example/home',
  '/\n/evil.example/home',
  '/\r\n/evil.example/home',
  '\t//evil.example/home',
  ' //evil.example/home',
  '\u0000//evil.example/home',
  '/home\u0000',
  '/home\r\nset-cookie: a=b',
  '/home\u007f',
  '//tributary.example@evil.example/home',
  '/@evil.example/home',
  '@evil.example/home',
  'https://tributary.example@evil.example/home',
  'https://tributary.example.evil.example/home',
  'https://tributary.example:8443/home',
  'http://tributary.example/home',
  '//tributary.example:444/home',
  '/%2f/evil.example/home',
  '/%2f%2fevil.example/home',
  '/%5cevil.example/home',
  '%2f%2fevil.example/home',
  '%68ttps://evil.example/home',
  '/home/..//evil.example/home',
  '/home/../..//evil.example',
  '/home/%2e%2e//evil.example/home',
  '/.//evil.example/home',
  '/./\\evil.example/home',
  'javascript:alert(1)',
  'JaVaScRiPt:alert(1)',
  '/javascript:alert(1)',
  'java\nscript:alert(1)',
  'data:text/html,<script>alert(1)</script>',
  'blob:https://tributary.example/1',
  'home',
  './home',
  '../home',
  '?returnUrl=//evil.example',
  '#/home',
  '',
  '/',
  '/homeless',
  '/signin',
  '/signin?code=stolen',
  '/api/auth/external/google?purpose=link',
  '/api/authorise/xero?state=1',
  '/HOME',
  '/。evil.example/home',
  '/／evil.example/home',
  '//evil。example/home',
  '//[::1]/home',
  '//0x7f000001/home',
  '//%65vil.example/home',
])('[SIGN-7] %j leads out of the portal, or to none of its pages, and is not followed', (returnUrl) => {
  expect(safeReturnPath(returnUrl, origin)).toBeNull()
})

test('[SIGN-7] without a return address the path is null', () => {
  expect(safeReturnPath(null, origin)).toBeNull()
  expect(safeReturnPath(undefined, origin)).toBeNull()
})
