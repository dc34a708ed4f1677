/** The page's one style. Colours come in pairs, for light and for dark. */
export const style = `
:root{color-scheme:light dark;--line:light-dark(#d4d8de,#3a4048);--soft:light-dark(#f4f6f8,#1c2025);--back:light-dark(#fff,#14171b);--text:light-dark(#1b1f24,#e4e8ec);--weak:light-dark(#57606a,#9aa5b1);--link:light-dark(#0a58ca,#7ab7ff);
--on:light-dark(#d9f2df,#163d22);--part:light-dark(#fdf0c8,#463a10);--value:light-dark(#dcebfd,#16324f);--off:light-dark(#eceff2,#262b31)}
*{box-sizing:border-box}
body{margin:0 auto;max-width:96rem;padding:1rem;font:1rem/1.45 system-ui,sans-serif;background:var(--back);color:var(--text)}
h1{margin:0;font-size:1.5rem}h2{margin:0 0 .5rem;font-size:1.25rem;overflow-wrap:anywhere}h3{margin:1rem 0 .25rem;font-size:1rem}
p{margin:.25rem 0}a{color:var(--link)}code,pre{font-family:ui-monospace,monospace;font-size:.9em;overflow-wrap:anywhere}
code{background:var(--soft);padding:0 .2em;border-radius:.2em}
pre{overflow:auto;max-height:24rem;background:var(--soft);padding:.5rem;white-space:pre-wrap}
small,time{color:var(--weak);font-size:.8rem}
:focus-visible{outline:2px solid var(--link);outline-offset:1px}
html:not(.js) .live{display:none!important}
#questions{display:flex;flex-wrap:wrap;gap:.4rem;margin:.75rem 0}
#questions a{border:1px solid var(--line);border-radius:1rem;padding:.15rem .7rem;text-decoration:none}
#questions a[aria-current]{background:var(--value);border-color:var(--link)}
#filter,#try form{display:flex;flex-wrap:wrap;gap:.5rem .75rem;align-items:end;margin:.5rem 0}
label{display:flex;flex-direction:column;font-size:.85rem;color:var(--weak);max-width:100%}
input,select,textarea,button{font:inherit;color:var(--text);background:var(--back);border:1px solid var(--line);border-radius:.3rem;padding:.2rem .4rem;max-width:100%}
label:has(textarea){flex-basis:100%}textarea{width:100%;font-family:ui-monospace,monospace}
button{cursor:pointer}#fault{color:light-dark(#a40e26,#ff9aa5);flex-basis:100%}
#matrix{overflow-x:auto}
table{table-layout:fixed;border-collapse:collapse;width:100%;min-width:76rem}
col.k{width:16rem}col.o{width:10rem}col.g{width:8rem}col.x,col.c{width:7rem}col.t{width:6rem}
th,td{text-align:left;vertical-align:top;padding:.3rem .5rem;border:1px solid var(--line);overflow-wrap:anywhere;font-weight:400}
.heads th{background:var(--soft);font-weight:600}.heads button{border:0;background:none;padding:0;font-weight:600;text-align:left;width:100%}
.heads [aria-sort=ascending] button::after{content:" ▲"}.heads [aria-sort=descending] button::after{content:" ▼"}
.chunk{content-visibility:auto;contain-intrinsic-block-size:auto 2200px;margin-top:-1px}
.chunk thead th{padding-block:0;border-block:0;font-size:0;line-height:0;color:transparent}
tbody th small,td time{display:block}
tbody th{position:sticky;left:0;background:var(--back)}
td b{font-weight:500}td abbr{text-decoration:none;font-weight:700}
.on{background:var(--on)}.share,.rules{background:var(--part)}.value{background:var(--value)}.off{background:var(--off)}
.on time,.share time,.rules time,.value time,.off time,.given small{color:light-dark(#47505a,#b4bec8)}
td.none{color:var(--weak);font-style:italic}
.given{display:none}.trying .given{display:block}.trying td:has(.given)>:not(.given){display:none}.given small{display:block}
#plots{display:grid;grid-template-columns:repeat(auto-fit,minmax(18rem,1fr));gap:1rem;margin:1.5rem 0}
figure{margin:0}figcaption{font-weight:600}svg{width:100%;height:auto;font:11px system-ui,sans-serif}
svg text{fill:var(--weak)}svg .axis{stroke:var(--line)}
svg .a{fill:light-dark(#2f8f4e,#4fbf73)}svg .b{fill:light-dark(#b07d00,#e0b23c)}svg .c{fill:light-dark(#2a6fc4,#6aa9f5)}svg .d{fill:light-dark(#7b8794,#8d99a6)}svg .e{fill:light-dark(#b8384b,#f0808f)}
svg .line{fill:none;stroke:light-dark(#2a6fc4,#6aa9f5);stroke-width:2}
article{border-top:1px solid var(--line);padding:1rem 0;content-visibility:auto;contain-intrinsic-block-size:auto 20rem}
html.js article{display:none}
html.js article.open{display:block;position:fixed;inset:0 0 0 auto;width:min(64rem,100%);overflow:auto;background:var(--back);padding:1.25rem;border-left:1px solid var(--line);box-shadow:0 0 2rem #0006;content-visibility:visible;z-index:1}
.close{float:right}
.sides{display:grid;grid-template-columns:repeat(auto-fit,minmax(15rem,1fr));gap:.75rem;margin-top:.75rem}
.sides>section{border-radius:.4rem;padding:.5rem .75rem;min-width:0}
.sides>section.none{border:1px dashed var(--line)}
.sides code,.sides pre{background:var(--back)}.sides small,.sides time{color:inherit}
.sides ol{padding-left:1.2rem;margin:.25rem 0}.sides h3{margin-top:0}.sides small{display:block}
.history{list-style:none;padding:0}.history>li{border-left:3px solid var(--line);padding-left:.75rem;margin:.5rem 0}
@media(max-width:40rem){body{padding:.5rem}table{min-width:66rem}col.k{width:9rem}}
@media print{html.js article{display:block}html.js article.open{position:static;width:auto;box-shadow:none;border-left:0;padding:1rem 0}.live,.close{display:none!important}#matrix{overflow:visible}table{min-width:0}tbody th{position:static}tr,article .sides>section{break-inside:avoid}col.k,col.e{width:auto}*{print-color-adjust:exact}}
`
