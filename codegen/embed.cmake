# Writes OUTPUT.c, which holds each template in TEMPLATES (NAME.tpl) as `template_NAME`, and OUTPUT.h, which declares them.
# cmake -DOUTPUT=file -DTEMPLATES="a.tpl;b.tpl" -P embed.cmake
set(text "/* Made by embed.cmake from codegen/templates. */\n#include \"templates.h\"\n")
set(declared "/* Made by embed.cmake from the list in codegen/CMakeLists.txt. */\n")
foreach(file IN LISTS TEMPLATES)
  get_filename_component(name ${file} NAME_WE)
  file(READ ${file} hex HEX)
  string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," bytes "${hex}")
  string(APPEND text "const char template_${name}[] = {${bytes}0};\n")
  string(APPEND declared "extern const char template_${name}[];\n")
endforeach()
file(WRITE ${OUTPUT}.c "${text}")
file(WRITE ${OUTPUT}.h "${declared}")
