// Sabaki's page as a browser runs it: everything of node's and electron's comes
// from window.require, which electron.js defines.
const {join} = require('node:path')
const ours = require(join(process.env.SABAKI, 'webpack.config.js'))({}, {mode: 'development'})
const outside =
  /^(node:.*|electron|fs|fs\/promises|path|child_process|os|url|util|stream|zlib|http|https|buffer|assert|string_decoder|timers\/promises|winston|fix-path|jschardet|iconv-lite|@sabaki\/i18n|rimraf)$/

module.exports = {
  ...ours,
  mode: 'development',
  devtool: false,
  target: 'web',
  context: process.env.SABAKI,
  output: {filename: 'bundle.js', path: process.env.OUT},
  externals: [
    ({request}, callback) =>
      outside.test(request)
        ? callback(null, `window.require(${JSON.stringify(request)})`)
        : callback(),
    {moment: 'null', 'cross-spawn': 'null'},
  ],
}
