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

  /** Whom the page greets by no name, and with nothing else to tell. */
  function isPlainSignIn(path) {
    return /^\/(signin)?$/.test(path) && location.search === '' && !/(?:^|; )logged_in_name=/.test(document.cookie)
  }
})()

// What the page will ask for as soon as its code has been read is asked for now: see `web/plugins/first-calls.ts`. `early-calls.ts` takes
// the answers over.
;(function () {
  var first = JSON.parse(document.currentScript.getAttribute('data-calls') || '{"calls":{}}')
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
  var query = new URLSearchParams(location.search)
  var values = { org: user.organisationId, last: location.pathname.split('/').filter(Boolean).pop() }
  window.earlyCalls = { token: token, at: performance.now(), answers: {} }
  Object.keys(first.calls)
    .filter(isHere)
    .forEach(function (route) {
      first.calls[route].forEach(ask)
    })

  /** A query may ask for another page of a list; where it cannot, the route ends with a question mark. */
  function isHere(route) {
    if (route === '*') return true
    if (location.search !== '' && !route.endsWith('?')) return false
    return new RegExp('^' + route.replace(/\?$/, '').replace(/:\w+/g, '[^/]+') + '/?$').test(location.pathname)
  }

  /** @param call the highest role level that may make it, and its address. */
  function ask(call) {
    if (!(first.levels[user.role] <= call[0])) return
    var isWhole = true
    var address = call[1].replace(/\{(\w+)\}/g, function (_, name) {
      var value = values[name] || query.get(name)
      if (!value) isWhole = false
      return encodeURIComponent(value)
    })
    if (!isWhole) return
    var headers = { accept: 'application/json', authorization: 'Bearer ' + token }
    // One that fails is made anew by whoever needs it.
    window.earlyCalls.answers[address] = fetch(address, { headers: headers }).catch(function () {
      return null
    })
  }

  /** Milliseconds since 1970; 0 where the token does not say. */
  function endOf(jwt) {
    try {
      return JSON.parse(atob(jwt.split('.')[1].replace(/-/g, '+').replace(/_/g, '/'))).exp * 1000 || 0
    } catch {
      return 0
    }
  }
})()
