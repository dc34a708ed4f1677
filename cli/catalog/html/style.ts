/** The page's style, for a matrix with this many environments. Colours come in pairs: light and dark. */
export function styleOf(environments: number): string {
  const width = 48 + 9 * environments
  return `${base}table,.chunk{min-width:${width}rem}
@media(min-width:${width + 2}rem){html{scroll-padding-top:3rem}#matrix{overflow:visible}.heads{position:sticky;top:0;z-index:1}}
@media(max-width:40rem){table,.chunk{min-width:${width - 4}rem}}`
}

const base = `
:root{color-scheme:light dark;--line:light-dark(#d4d8de,#363c44);--soft:light-dark(#f4f6f8,#1c2025);--back:light-dark(#fff,#14171b);--text:light-dark(#1b1f24,#e4e8ec);--weak:light-dark(#57606a,#9aa5b1);--link:light-dark(#0a58ca,#7ab7ff);
--on:light-dark(#d9f2df,#163d22);--part:light-dark(#fdf0c8,#463a10);--value:light-dark(#dcebfd,#16324f);--off:light-dark(#eceff2,#262b31);--bad:light-dark(#a40e26,#ff9aa5)}
*{box-sizing:border-box}
body{margin:0 auto;max-width:100rem;padding:1rem 1.25rem;font:.9375rem/1.45 system-ui,sans-serif;background:var(--back);color:var(--text)}
h1{margin:0;font-size:1.5rem}h2{margin:0 0 .25rem;font-size:1.35rem;overflow-wrap:anywhere}h3{margin:1.5rem 0 .25rem;font-size:1rem}
p{margin:.25rem 0;overflow-wrap:anywhere}p:empty{display:none}a{color:var(--link)}code,pre{font-family:ui-monospace,monospace;font-size:.9em;overflow-wrap:anywhere}
code{background:var(--soft);padding:0 .2em;border-radius:.2em}
pre{overflow:auto;max-height:24rem;background:var(--soft);padding:.5rem;white-space:pre-wrap}
small,time{color:var(--weak);font-size:.8125rem}
:focus-visible{outline:2px solid var(--link);outline-offset:1px}
html:not(.js) .live{display:none!important}
#questions{display:flex;flex-wrap:wrap;gap:.4rem;margin:.75rem 0}
#questions a{border:1px solid var(--line);border-radius:1rem;padding:.1rem .7rem;text-decoration:none}
#questions a:hover{border-color:var(--link)}#questions .zero{color:var(--weak)}
#questions a[aria-current]{background:var(--value);border-color:var(--link);color:var(--text)}
#meaning{color:var(--weak);font-size:.8125rem;margin:-.4rem 0 .6rem}
#branch{margin:.75rem 0;padding:.5rem .75rem;border:1px solid var(--line);border-left:.3rem solid var(--link);border-radius:.4rem}#branch ul{margin:.1rem 0;padding-left:1.2rem}
th em{padding:0 .35em;font-style:normal;font-size:.75rem;background:var(--part);border-radius:.3rem}
#filter{display:flex;flex-wrap:wrap;gap:.5rem .75rem;align-items:end;margin:.5rem 0}
#filter label:first-child{flex:1 1 14rem;max-width:28rem}#filter select{max-width:14rem}#filter output{margin-left:auto}#filter output,#filter a{padding:.25rem 0}
#try{margin:.5rem 0 .75rem}summary{cursor:pointer}
#try form{display:grid;grid-template-columns:repeat(auto-fill,minmax(min(13rem,100%),1fr));gap:.5rem .75rem;align-items:end;margin:.5rem 0;padding:.75rem;background:var(--soft);border-radius:.4rem}
#try label:has(textarea),#fault,.buttons{grid-column:1/-1}
label{display:flex;flex-direction:column;font-size:.8125rem;color:var(--weak);min-width:0;overflow-wrap:anywhere}
input,select,textarea,button{font:inherit;font-size:.9375rem;color:var(--text);background:var(--back);border:1px solid var(--line);border-radius:.3rem;padding:.2rem .4rem;max-width:100%;min-width:0}
input,select{height:2rem}textarea{width:100%;font-family:ui-monospace,monospace}
button{cursor:pointer;padding:.25rem .7rem}.buttons button:first-child{background:var(--link);border-color:var(--link);color:var(--back)}
#fault,.late{color:var(--bad)}#fault:empty{display:none}
.legend{color:var(--weak);font-size:.8125rem}
#matrix{overflow-x:auto;scroll-padding-left:14rem}
table{table-layout:fixed;border-collapse:collapse;width:100%}
col.k{width:14rem}col.o{width:8.5rem}col.g{width:7.5rem}col.x{width:6.5rem}col.c{width:6.5rem}col.t{width:5rem}
th,td{text-align:left;vertical-align:top;padding:.3rem .5rem;border:1px solid var(--line);overflow-wrap:anywhere;font-weight:400}
.heads th{background-color:var(--soft);font-weight:600}.heads button{border:0;background:none;padding:0;font-weight:600;text-align:left;width:100%;overflow-wrap:anywhere}
.heads [aria-sort=ascending] button::after{content:" ▲"}.heads [aria-sort=descending] button::after{content:" ▼"}
.chunk{content-visibility:auto;contain-intrinsic-block-size:auto 2200px;margin-top:-1px}
.chunk thead th{padding-block:0;border-block:0;font-size:0;line-height:0;color:transparent}
td small,th small,td time{display:block}
th:first-child{position:sticky;left:0;background-clip:padding-box}tbody th{background-color:var(--back)}
td:not([class]){font-size:.8125rem}td[class]{font-weight:500}td code{background:none;padding:0}
.on,[data-given=true]{background:var(--on)}.share,.rules{background:var(--part)}.value{background:var(--value)}.off{background:var(--off)}
td[data-given=other]{background:var(--value)}td[data-given=true]{background:var(--on)}td[data-given=false]{background:var(--off)}
td[class] time,td[class] small{color:light-dark(#47505a,#b4bec8);font-weight:400}
.given code{display:-webkit-box;-webkit-box-orient:vertical;-webkit-line-clamp:4;overflow:hidden}
td.none{color:var(--weak)}td.none[data-given]{color:var(--text)}
article{border-top:1px solid var(--line);padding:1rem 0;content-visibility:auto;contain-intrinsic-block-size:auto 20rem}
article h2+p+p{font-family:ui-monospace,monospace;font-size:.85em;color:var(--weak)}
html.js article{display:none}
html.js article.open{display:block;position:fixed;inset:0 0 0 auto;width:min(68rem,100%);overflow:auto;background:var(--back);padding:1.25rem 1.5rem;border-left:1px solid var(--line);box-shadow:0 0 2rem #0006;content-visibility:visible;z-index:2}
article:focus{outline:0}.close{float:right;margin-left:1rem}
.facts{display:flex;flex-wrap:wrap;gap:.25rem .5rem;list-style:none;padding:0;margin:.5rem 0}.facts li{background:var(--soft);border-radius:.3rem;padding:0 .5rem;overflow-wrap:anywhere}
dl{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(17rem,100%),1fr));gap:.75rem;margin:.75rem 0 0}
dl>div{border-radius:.4rem;padding:.5rem .75rem;min-width:0}dl>.none{border:1px dashed var(--line)}
dt{font-weight:600}dd{margin:0;overflow-wrap:anywhere}dl code,dl pre{background:var(--back)}dl small{display:block}dl p,dl small{color:inherit;font-size:.8125rem}
dl ol{padding-left:1.2rem;margin:.25rem 0}dl li+li{margin-top:.35rem}.idle{opacity:.85}
.why{margin-top:.5rem;padding-top:.5rem;border-top:1px solid currentcolor;font-weight:500}
.links{margin:.25rem 0;padding-left:1.2rem}.commit{color:var(--weak);font-size:.8125rem}
.history{list-style:none;padding:0}.history>li{border-left:3px solid var(--line);padding-left:.75rem;margin:.75rem 0}.history ul{margin:.25rem 0;padding-left:1.2rem}
@media(max-width:40rem){body{padding:.6rem}col.k{width:10rem}#matrix{scroll-padding-left:10rem}#questions{flex-wrap:nowrap;overflow-x:auto;padding-bottom:.3rem}#questions a{white-space:nowrap}#filter label{flex:1 1 40%}#filter label:first-child{flex-basis:100%;max-width:none}}
`
