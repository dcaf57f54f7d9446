import { expect, test } from 'vitest'
import { returnPath } from './paths.ts'

test('[SIGN-7] a returnUrl within the portal is kept with its query', () => {
  expect(returnPath('/connectors/cin7/refresh?search=stock')).toBe('/connectors/cin7/refresh?search=stock')
  expect(returnPath('/admin')).toBe('/admin')
})

test.each([
  null,
  '',
  'https://evil.example/home',
  '//evil.example/home',
  '/\\evil.example',
  '/.//evil.example',
  'javascript:alert(1)',
  '/nowhere',
  '/signin',
  '/homestead',
])('[SIGN-7] a returnUrl of %s leads home', (returnUrl) => {
  expect(returnPath(returnUrl)).toBe('/home')
})
