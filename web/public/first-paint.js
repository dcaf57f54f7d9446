// Runs before the first paint, so that the theme and the skeleton never change while they are visible. The server writes into `data-route`
// what `routes.json` says about the route of the address; without a server there is no skeleton and nothing is preloaded.
;(function () {
  var root = document.documentElement
  var route = JSON.parse(document.currentScript.getAttribute('data-route'))
  var theme = null
  var token = null
  var user = null
  try {
    theme = localStorage.getItem('color-scheme')
    token = localStorage.getItem('jwt')
    user = JSON.parse(localStorage.getItem('user'))
  } catch {
    // Storage is blocked or unreadable: the system's theme and the sign-in page are right.
  }
  var isDark = theme === 'dark' || (theme !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches)
  root.setAttribute('data-mantine-color-scheme', isDark ? 'dark' : 'light')

  if (token === null) showSignIn()
  else if (route.skeleton && route.skeleton !== 'none') {
    showLayout()
    try {
      preload()
    } catch {
      // The address is malformed: the page reports it.
    }
  }

  /** Only where the page greets no one by name and shows no message. */
  function showSignIn() {
    var isPlain = location.search === '' && !/(?:^|; )logged_in_name=/.test(document.cookie)
    if (route.skeleton === 'signIn' && isPlain) root.setAttribute('data-first', 'sign-in')
  }

  function showLayout() {
    root.setAttribute('data-first', 'shell')
    var nav = /(?:^|; )nav=(\w+)/.exec(document.cookie)
    root.setAttribute('data-first-nav', nav ? nav[1] : 'open')
  }

  /** Makes the first requests of the page. `src/api/preloaded-requests.ts` hands their responses to the code that needs them. */
  function preload() {
    var isUsable =
      user !== null &&
      !user.mustChangePassword &&
      !user.auditorUntil &&
      user.organisationId &&
      tokenEnd() > Date.now() + 5000
    if (!isUsable) return
    var values = valuesOfAddress()
    var headers = { accept: 'application/json', authorization: 'Bearer ' + token }
    window.preloadedRequests = {}
    route.requests.forEach(function (request) {
      var address = user.roleLevel <= request[0] ? fill(request[1], values) : null
      if (address === null) return
      window.preloadedRequests[address] = {
        token: token,
        startedAt: performance.now(),
        response: fetch(address, { headers: headers }).catch(function () {
          return null
        }),
      }
    })
  }

  /** Parameters of the query and of the path, by name. */
  function valuesOfAddress() {
    var values = Object.fromEntries(new URLSearchParams(location.search))
    var parts = location.pathname.split('/')
    route.path.split('/').forEach(function (name, index) {
      if (name[0] === ':') values[name.slice(1)] = decodeURIComponent(parts[index])
    })
    values.org = user.organisationId
    values.zone = timeZone()
    return values
  }

  /** The chosen time zone, or the browser's, under the name that `src/ui/formats.ts` gives it. */
  function timeZone() {
    try {
      return zoneOf(JSON.parse(localStorage.getItem('preferences')).TimeZone || undefined)
    } catch {
      return zoneOf(undefined)
    }
  }

  function zoneOf(chosen) {
    return new Intl.DateTimeFormat('en-GB', { timeZone: chosen }).resolvedOptions().timeZone
  }

  /** Null if a name in braces has no value. */
  function fill(template, values) {
    var isComplete = true
    var address = template.replace(/\{(\w+)\}/g, function (_, name) {
      if (!values[name]) isComplete = false
      return encodeURIComponent(values[name])
    })
    return isComplete ? address : null
  }

  /** In milliseconds since 1970; 0 if the token does not say. */
  function tokenEnd() {
    try {
      return JSON.parse(atob(token.split('.')[1].replace(/-/g, '+').replace(/_/g, '/'))).exp * 1000 || 0
    } catch {
      return 0
    }
  }
})()
