/** What stands where a theme has no such color. */
const NONE = '-';

/** The theme colors that the pages use, with the values of VS Code 1.139's default themes. */
const COLORS = `
                                         dark       light      hc-dark    hc-light   dark-2026  light-2026
badge-background                         #616161    #cccccc    #000000    #0f4a85    #307e9f    #0069cc
badge-foreground                         #f8f8f8    #3b3b3b    #ffffff    #ffffff    #ffffff    #ffffff
button-background                        #0078d4    #005fb8    #000000    #0f4a85    #297aa0    #0069cc
button-border                            #ffffff1a  #0000001a  #6fc3df    #0f4a85    #297aa0    #0069cc
button-foreground                        #ffffff    #ffffff    #ffffff    #ffffff    #ffffff    #ffffff
button-hoverBackground                   #026ec1    #0258a8    #000000    #0f4a85    #2b7da3    #0063c1
button-secondaryBackground               #00000000  #e5e5e5    -          #ffffff    #00000000  #eaeaea
button-secondaryForeground               #cccccc    #3b3b3b    #ffffff    #292929    #cccccc    #202020
button-secondaryHoverBackground          #2b2b2b    #cccccc    -          -          #ffffff0f  #f2f3f4
charts-blue                              #59a4f9    #0063d3    #59a4f9    #0063d3    #57a3f8    #1a5cff
charts-green                             #89d185    #388a34    #89d185    #374e06    #86cf86    #388a34
contrastBorder                           -          -          #6fc3df    #0f4a85    -          -
debugTokenExpression-boolean             #4e94ce    #0000ff    #75bdfe    #0000ff    #4e94ce    #0000ff
debugTokenExpression-name                #c586c0    #9b46b0    #ffffff    #292929    #c586c0    #9b46b0
debugTokenExpression-number              #b5cea8    #098658    #89d185    #098658    #b5cea8    #098658
debugTokenExpression-string              #ce9178    #a31515    #f48771    #a31515    #ce9178    #a31515
descriptionForeground                    #9d9d9d    #3b3b3b    #ffffffb3  #292929b3  #8c8c8c    #606060
editor-background                        #1f1f1f    #ffffff    #000000    #ffffff    #121314    #ffffff
editor-findMatchBackground               #9e6a03    #a8ac94    -          -          #2767828f  #0069cc40
editor-findMatchBorder                   -          -          #f38518    #006bbd    -          -
editor-findMatchHighlightBackground      #ea5c0054  #ea5c0054  -          -          #27678280  #0069cc1a
editor-findMatchHighlightBorder          -          -          #f38518    #006bbd    -          -
editor-foreground                        #cccccc    #3b3b3b    #ffffff    #292929    #bbbebf    #202020
editorError-foreground                   #f14c4c    #e51400    #f48771    #b5200d    #f14c4c    #e51400
editorHoverWidget-background             #202020    #f8f8f8    #0c141f    #ffffff    #202122    #fafafd
editorHoverWidget-border                 #cccccc33  #3b3b3b33  #6fc3df    #0f4a85    #2a2b2c    #e4e5e6
editorHoverWidget-foreground             #cccccc    #3b3b3b    #ffffff    #292929    #bfbfbf    #202020
editorInfo-foreground                    #59a4f9    #0063d3    #59a4f9    #0063d3    #59a4f9    #0063d3
editorWarning-foreground                 #cca700    #bf8803    #ffd370    #895503    #cca700    #bf8803
editorWidget-background                  #202020    #f8f8f8    #0c141f    #ffffff    #202122    #fafafd
errorForeground                          #f85149    #f85149    #f48771    #b5200d    #f48771    #ad0707
focusBorder                              #0078d4    #005fb8    #f38518    #006bbd    #3994bcb3  #0069cc
foreground                               #cccccc    #3b3b3b    #ffffff    #292929    #bfbfbf    #202020
gitDecoration-addedResourceForeground    #81b88b    #587c0c    #a1e3ad    #374e06    #73c991    #587c0c
gitDecoration-deletedResourceForeground  #c74e39    #ad0707    #c74e39    #ad0707    #f48771    #ad0707
icon-foreground                          #cccccc    #3b3b3b    #ffffff    #292929    #8c8c8c    #606060
input-background                         #313131    #ffffff    #000000    #ffffff    #191a1b    #ffffff
input-border                             #3c3c3c    #cecece    #6fc3df    #0f4a85    #333536    #d8d8d866
input-foreground                         #cccccc    #3b3b3b    #ffffff    #292929    #bfbfbf    #202020
inputOption-activeBackground             #2489db82  #bed6ed    #00000000  #00000000  #313233    #d6d6d6
inputOption-activeBorder                 #2488db    #005fb8    #6fc3df    #0f4a85    #2a2b2c    #f0f1f2
inputOption-activeForeground             #ffffff    #000000    #ffffff    #292929    #bfbfbf    #202020
inputValidation-errorBackground          #5a1d1d    #f2dede    #000000    #ffffff    #3a1d1d    #fdeded
inputValidation-errorBorder              #be1100    #be1100    #6fc3df    #0f4a85    #be1100    #ad0707
panel-border                             #2b2b2b    #e5e5e5    #6fc3df    #0f4a85    #2a2b2c    #f0f1f2
settings-dropdownBorder                  #3c3c3c    #cecece    #6fc3df    #0f4a85    #3c3c3c    #cecece
symbolIcon-functionForeground            #b180d7    #652d90    #b180d7    #652d90    #b180d7    #652d90
symbolIcon-variableForeground            #75beff    #007acc    #75beff    #007acc    #75beff    #007acc
textBlockQuote-background                #2b2b2b    #f8f8f8    -          #f2f2f2    #242526    #eaeaea
textCodeBlock-background                 #2b2b2b    #f8f8f8    #000000    #f2f2f2    #242526    #eaeaea
textLink-foreground                      #4daafc    #005fb8    #21a6ff    #0f4a85    #48a0c7    #0069cc
textPreformat-background                 #3c3c3c    #0000001f  -          #09345f    #262626    #ececec
textPreformat-foreground                 #d0d0d0    #3b3b3b    #ffffff    #ffffff    #8c8c8c    #606060
toolbar-hoverBackground                  #5a5d5e4f  #b8b8b84f  -          -          #5a5d5e4f  #0000001f
widget-border                            #313131    #e5e5e5    #6fc3df    #0f4a85    #2a2b2c    #e2e2e5
widget-shadow                            #0000005c  #00000029  -          -          #0000005c  #00000000
`;

const [names = [], ...rows] = COLORS.trim()
  .split('\n')
  .map((line) => line.trim().split(/ +/));

export type ThemeName = 'dark' | 'light' | 'hc-dark' | 'hc-light' | 'dark-2026' | 'light-2026';

/** The names of all themes. */
export const themes = names as ThemeName[];

/** The classes that VS Code adds to a webview's body. */
export function bodyClass(theme: ThemeName): string {
  if (theme === 'hc-light') return 'vscode-high-contrast-light vscode-high-contrast';
  return theme === 'hc-dark' ? 'vscode-high-contrast' : `vscode-${theme.replace(/-.*/, '')}`;
}

/** The styles that VS Code inserts before a page's own, with a theme's variables. */
export function themeStyles(theme: ThemeName): string {
  const fonts = {
    'font-family': 'system-ui, "Ubuntu", "Droid Sans", sans-serif',
    'font-size': '13px',
    'editor-font-family': 'monospace',
    'editor-font-size': '14px',
  };
  const colors = rows.map(([name, ...values]) => [name, values[themes.indexOf(theme)]]);
  const variables = [...Object.entries(fonts), ...colors]
    .filter(([, value]) => value !== NONE)
    .map(([name, value]) => `--vscode-${name}: ${value};`);
  return `html { ${variables.join(' ')} }
body { margin: 0; padding: 0 20px; color: var(--vscode-editor-foreground); }
img, video { max-width: 100%; max-height: 100%; }
a, a code { color: var(--vscode-textLink-foreground); }
p > a { text-decoration: none; }
a:focus, input:focus, select:focus, textarea:focus { outline: 1px solid -webkit-focus-ring-color; outline-offset: -1px; }
code { font-family: monospace; color: var(--vscode-textPreformat-foreground);
  background-color: var(--vscode-textPreformat-background); padding: 1px 3px; border-radius: 4px; }
pre code { padding: 0; }
blockquote { background: var(--vscode-textBlockQuote-background); border-color: var(--vscode-textBlockQuote-border); }`;
}
