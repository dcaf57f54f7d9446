// Runs before the first paint, so that neither the theme nor the skeleton changes under the reader's eyes.
;(function () {
  var root = document.documentElement
  var theme = null
  var token = null
  try {
    theme = localStorage.getItem('color-scheme')
    token = localStorage.getItem('jwt')
  } catch {
    // Storage is blocked: the system's theme and the sign-in page are right.
  }
  var dark = theme === 'dark' || (theme !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches)
  root.setAttribute('data-mantine-color-scheme', dark ? 'dark' : 'light')

  var path = location.pathname
  if (token === null && isPlainSignIn(path)) root.setAttribute('data-first', 'sign-in')
  if (token === null || /^\/(signup|reset-password|set-password|setup|mailbox)/.test(path)) return
  root.setAttribute('data-first', 'shell')
  var nav = /(?:^|; )nav=(\w+)/.exec(document.cookie)
  root.setAttribute('data-first-nav', nav ? nav[1] : 'open')

  // What every signed-in page will ask for as soon as the entry has been read; asked for now instead.
  var shared = (document.currentScript.getAttribute('data-signed-in') || '').split(' ')
  shared.filter(Boolean).forEach(function (href) {
    var link = document.createElement('link')
    link.rel = href.endsWith('.css') ? 'preload' : 'modulepreload'
    if (link.rel === 'preload') link.as = 'style'
    link.crossOrigin = ''
    link.href = href
    document.head.append(link)
  })

  /** Whom the page greets by no name, and with nothing else to tell. */
  function isPlainSignIn(path) {
    return /^\/(signin)?$/.test(path) && location.search === '' && !/(?:^|; )logged_in_name=/.test(document.cookie)
  }
})()

// So, too, with the first calls of every signed-in page, and of home. `early-calls.ts` takes their answers over.
;(function () {
  var token = null
  var user = null
  try {
    token = localStorage.getItem('jwt')
    user = JSON.parse(localStorage.getItem('user'))
  } catch {
    // Whoever makes the calls finds out what is wrong.
  }
  var isSignedIn = document.documentElement.getAttribute('data-first') === 'shell'
  if (!isSignedIn || token === null || endOf(token) < Date.now() + 5000) return
  if (user === null || user.mustChangePassword || !user.organisationId) return
  var ofClient = '/api/tributary/clients/' + user.organisationId
  var calls = ['/api/organisations', ofClient + '/connector-types']
  if (location.pathname === '/home') calls.push('/api/tributary/clients/connector-types', ofClient + '/connectors')
  window.earlyCalls = { token: token, at: performance.now(), answers: {} }
  calls.forEach(function (address) {
    var headers = { accept: 'application/json', authorization: 'Bearer ' + token }
    // One that fails is made anew by whoever needs it.
    window.earlyCalls.answers[address] = fetch(address, { headers: headers }).catch(function () {
      return null
    })
  })

  /** Milliseconds since 1970; 0 where the token does not say. */
  function endOf(jwt) {
    try {
      return JSON.parse(atob(jwt.split('.')[1].replace(/-/g, '+').replace(/_/g, '/'))).exp * 1000 || 0
    } catch {
      return 0
    }
  }
})()
