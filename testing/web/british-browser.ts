/** Gives each test of the portal a British browser; the tests expect its formats. */
Object.defineProperty(navigator, 'languages', { value: ['en-GB', 'en'], configurable: true })
