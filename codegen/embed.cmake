# Writes OUTPUT, a C file that holds each template in TEMPLATES (NAME.tpl) as `template_NAME`.
# cmake -DOUTPUT=file -DTEMPLATES="a.tpl;b.tpl" -P embed.cmake
set(text "/* Made by embed.cmake from codegen/templates. */\n")
foreach(file IN LISTS TEMPLATES)
  get_filename_component(name ${file} NAME_WE)
  file(READ ${file} hex HEX)
  string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," bytes "${hex}")
  string(APPEND text "extern const char template_${name}[];\n"
                     "const char template_${name}[] = {${bytes}0};\n")
endforeach()
file(WRITE ${OUTPUT} "${text}")
